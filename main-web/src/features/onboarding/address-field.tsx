import { useEffect, useState } from "react";
import { Button } from "../../ui/button";
import { Field, Input } from "../../ui/field";
import { useAddress } from "./get-address";
import type { AddressCheck } from "./own";
import styles from "./wizard.module.css";

const IDLE = 350; // milliseconds without a key until the address is checked

/** The host below which sites are, as this page was reached: with its port, if it has one. */
export const BASE = window.location.host;

type AddressFieldProps = {
  value: string;
  onChange: (value: string) => void;
  /** A refusal of the server's, for this very value. */
  refused?: string | undefined;
  /** The address the site has now. */
  current?: string;
};

/** What was typed, after a pause. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = window.setTimeout(() => setSettled(value), IDLE);
    return () => window.clearTimeout(timer);
  }, [value]);
  return settled;
}

/** The site address, checked while it is typed. */
export function AddressField({ value, onChange, refused, current }: AddressFieldProps) {
  const settled = useSettled(value);
  const check = useAddress(settled, settled !== "");
  const answer = settled === value ? check.data : undefined;
  const reason = refused ?? answer?.reason ?? undefined;
  return (
    <div className={styles.stack}>
      <Field label="Site address" hint={value === current ? "This is your address." : hintOf(value, settled, check.isFetching, answer)} error={reason}>
        <div className={styles.address}>
          <Input
            value={value}
            autoCapitalize="none"
            autoComplete="off"
            spellCheck={false}
            maxLength={63}
            onChange={(event) => onChange(event.target.value.toLowerCase().trim())}
          />
          <span>.{BASE}</span>
        </div>
      </Field>
      {reason && answer && answer.suggestion !== value && (
        <p className={styles.note}>
          Free:{" "}
          <Button variant="secondary" size="sm" onClick={() => onChange(answer.suggestion)}>
            {answer.suggestion}
          </Button>
        </p>
      )}
    </div>
  );
}

function hintOf(value: string, settled: string, asking: boolean, answer: AddressCheck | undefined): string {
  if (value === "") return "Letters, digits and hyphens.";
  if (settled !== value || asking || !answer) return "Checking…";
  return answer.available ? "This address is yours to take." : "Letters, digits and hyphens.";
}
