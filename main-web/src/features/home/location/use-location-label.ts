import { useCallback, useEffect, useRef, useState } from "react";
import { getPlace, placeLabel } from "./get-place";
import { readLocation, rememberLocation } from "../../../kit/remembered-location";

export type LocationLabel = {
  /** "city, state"; null while unknown. */
  label: string | null;
  detecting: boolean;
  /** Whether asking the browser is worth offering: nothing chosen yet and not refused. */
  canDetect: boolean;
  detect: () => void;
  /** Trims; blank is ignored (SPEC 5). Says whether it was taken. */
  choose: (typed: string) => boolean;
};

/**
 * The visitor's place: what they chose before, else what the browser and reverse geocoding say. The browser is asked
 * on arrival only if it may answer without a prompt; otherwise the visitor starts it.
 */
export function useLocationLabel(): LocationLabel {
  const [label, setLabel] = useState(readLocation);
  const [detecting, setDetecting] = useState(false);
  const [refused, setRefused] = useState(!("geolocation" in navigator));
  const running = useRef<AbortController | null>(null);

  const detect = useCallback(() => {
    if (running.current || !("geolocation" in navigator)) return;
    const run = new AbortController();
    running.current = run;
    setDetecting(true);
    locate(run.signal)
      .then((found) => {
        if (run.signal.aborted) return;
        if (found) setLabel(found);
        else setRefused(true);
      })
      .catch(() => !run.signal.aborted && setRefused(true))
      .finally(() => {
        if (running.current === run) running.current = null;
        if (!run.signal.aborted) setDetecting(false);
      });
  }, []);

  useEffect(() => {
    if (readLocation()) return;
    let gone = false;
    void mayAskSilently().then((may) => may && !gone && detect());
    return () => {
      gone = true;
      running.current?.abort();
      running.current = null;
    };
  }, [detect]);

  const choose = useCallback((typed: string) => {
    const chosen = typed.trim();
    if (!chosen) return false;
    running.current?.abort();
    running.current = null;
    setDetecting(false);
    setLabel(chosen);
    rememberLocation(chosen);
    return true;
  }, []);

  return { label, detecting, canDetect: label === null && !refused, detect, choose };
}

async function locate(signal: AbortSignal): Promise<string | null> {
  const position = await new Promise<GeolocationPosition>((found, failed) =>
    navigator.geolocation.getCurrentPosition(found, failed, { maximumAge: 600_000, timeout: 10_000 }),
  );
  return placeLabel(await getPlace(position.coords.latitude, position.coords.longitude, signal));
}

/** True when asking for the position shows no prompt, or when the browser cannot say. */
async function mayAskSilently(): Promise<boolean> {
  if (!("permissions" in navigator)) return true;
  try {
    return (await navigator.permissions.query({ name: "geolocation" })).state === "granted";
  } catch {
    return true;
  }
}
