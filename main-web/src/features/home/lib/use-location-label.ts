import { useCallback, useEffect, useRef, useState } from "react";
import { readSavedLocation, saveLocation } from "@/lib/saved-location";
import { useIsHydrating } from "@/lib/use-is-hydrating";
import { getPlace, placeLabel } from "../api/get-place";

export type LocationLabel = {
  /** "city, state"; null while unknown. */
  label: string | null;
  detecting: boolean;
  /** Whether the browser can be asked for its position: nothing was chosen yet, and permission was not denied. */
  canDetect: boolean;
  /** Whether the browser did not tell its position, or no place is known there. */
  failed: boolean;
  detect: () => void;
  /** What the visitor typed on this page; "" before. */
  typed: string;
  /** Set the location; blank input is ignored (SPEC 5). Returns whether it was accepted. */
  setLocation: (text: string) => boolean;
};

/**
 * Return the visitor's location: the one chosen before, else the browser's position with reverse geocoding. On
 * arrival the browser is asked only if it does not prompt; otherwise the visitor starts it.
 */
export function useLocationLabel(): LocationLabel {
  const isHydrating = useIsHydrating();
  const [chosen, setLabel] = useState(readSavedLocation);
  const label = isHydrating ? null : chosen;
  const [typed, setTyped] = useState("");
  const [detecting, setDetecting] = useState(false);
  const [failed, setFailed] = useState(false);
  const running = useRef<AbortController | null>(null);

  const detect = useCallback(() => {
    if (running.current || !("geolocation" in navigator)) return;
    const run = new AbortController();
    running.current = run;
    setDetecting(true);
    locate(run.signal)
      .then((position) => {
        if (run.signal.aborted) return;
        if (position) setLabel(position);
        else setFailed(true);
      })
      .catch(() => !run.signal.aborted && setFailed(true))
      .finally(() => {
        if (running.current === run) running.current = null;
        if (!run.signal.aborted) setDetecting(false);
      });
  }, []);

  useEffect(() => {
    if (readSavedLocation()) return;
    let isCancelled = false;
    void mayAskSilently().then((may) => may && !isCancelled && detect());
    return () => {
      isCancelled = true;
      running.current?.abort();
      running.current = null;
    };
  }, [detect]);

  const setLocation = useCallback((text: string) => {
    const trimmed = text.trim();
    if (!trimmed) return false;
    running.current?.abort();
    running.current = null;
    setDetecting(false);
    setLabel(trimmed);
    setTyped(trimmed);
    saveLocation(trimmed);
    return true;
  }, []);

  const canDetect = label === null && !failed && (isHydrating || "geolocation" in navigator);
  return { label, detecting, canDetect, failed: failed && label === null, detect, typed, setLocation };
}

async function locate(signal: AbortSignal): Promise<string | null> {
  const position = await new Promise<GeolocationPosition>((resolve, reject) =>
    navigator.geolocation.getCurrentPosition(resolve, reject, { maximumAge: 600_000, timeout: 10_000 }),
  );
  return placeLabel(await getPlace(position.coords.latitude, position.coords.longitude, signal));
}

/** Tell whether reading the position shows no prompt, or the browser cannot tell. */
async function mayAskSilently(): Promise<boolean> {
  if (!("permissions" in navigator)) return true;
  try {
    return (await navigator.permissions.query({ name: "geolocation" })).state === "granted";
  } catch {
    return true;
  }
}
