import { LocateFixed } from "lucide-react";
import { useState, type Ref } from "react";
import { PlaceHint } from "@/features/places/contract";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import styles from "./angels.module.css";

/** A typed place, or the browser's position; only two decimals are sent. */
export type LocationValue = { text: string; point: { latitude: number; longitude: number } | null };

export const HERE = "Near my current location";

/** Return the place as the API expects it. */
export function locationPayload({ text, point }: LocationValue) {
  return point ?? { text: text.trim() };
}

type PlaceFieldProps = {
  value: LocationValue;
  onChange: (value: LocationValue) => void;
  label: string;
  hint: string;
  error: string | undefined;
  inputRef?: Ref<HTMLInputElement>;
};

/** City and state, or the approximate position. Other users see only the town and the distance in whole miles. */
export function LocationField({ value, onChange, label, hint, error, inputRef }: PlaceFieldProps) {
  const [state, setState] = useState<"idle" | "asking" | "refused">("idle");

  function locate() {
    setState("asking");
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        const round = (degrees: number) => Math.round(degrees * 100) / 100;
        onChange({ text: HERE, point: { latitude: round(coords.latitude), longitude: round(coords.longitude) } });
        setState("idle");
      },
      () => setState("refused"),
      { maximumAge: 600_000, timeout: 10_000 },
    );
  }

  return (
    <div className={styles.fieldset}>
      <Field label={label} hint={hint} error={error}>
        <Input
          ref={inputRef}
          autoComplete="off"
          maxLength={120}
          value={value.text}
          onChange={(event) => onChange({ text: event.target.value, point: null })}
        />
      </Field>
      {!value.point && (
        <PlaceHint text={value.text} hasError={Boolean(error)} onChoose={(text) => onChange({ text, point: null })} />
      )}
      {"geolocation" in navigator && (
        <div>
          <Button variant="ghost" size="sm" loading={state === "asking"} onClick={locate}>
            {state !== "asking" && <LocateFixed size={16} aria-hidden="true" />}
            Use my location
          </Button>
          {state === "refused" && (
            <span className={styles.hint} role="status">
              {" "}
              We couldn't get your location. Enter a city and state.
            </span>
          )}
        </div>
      )}
    </div>
  );
}
