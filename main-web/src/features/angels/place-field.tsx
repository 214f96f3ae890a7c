import { LocateFixed } from "lucide-react";
import { useState } from "react";
import { Button } from "../../ui/button";
import { Field, Input } from "../../ui/field";
import styles from "./angels.module.css";

/** A place as it is typed, or a point that the browser told; two decimals are all that leaves this page. */
export type PlaceValue = { text: string; point: { latitude: number; longitude: number } | null };

export const HERE = "Around where I am";

/** What the API is sent for a place. */
export function placePayload({ text, point }: PlaceValue) {
  return point ?? { text: text.trim() };
}

type PlaceFieldProps = {
  value: PlaceValue;
  onChange: (value: PlaceValue) => void;
  label: string;
  hint: string;
  error: string | undefined;
};

/** City and state, or roughly where one is. Nobody else ever sees more than the town and whole miles. */
export function PlaceField({ value, onChange, label, hint, error }: PlaceFieldProps) {
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
          autoComplete="off"
          maxLength={120}
          value={value.text}
          onChange={(event) => onChange({ text: event.target.value, point: null })}
        />
      </Field>
      {"geolocation" in navigator && (
        <div>
          <Button variant="ghost" size="sm" loading={state === "asking"} onClick={locate}>
            {state !== "asking" && <LocateFixed size={16} aria-hidden="true" />}
            Use my location
          </Button>
          {state === "refused" && (
            <span className={styles.hint} role="status">
              {" "}
              Your browser did not tell. Please type your city and state.
            </span>
          )}
        </div>
      )}
    </div>
  );
}
