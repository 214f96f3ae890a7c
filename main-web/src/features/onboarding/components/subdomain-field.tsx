import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { useDebounced } from "@/lib/use-debounced";
import { useSubdomainCheck } from "../api/check-subdomain";
import type { SubdomainCheck } from "../lib/types";
import styles from "./wizard.module.css";

const IDLE = 350; // Milliseconds without typing until the subdomain is checked.

/** The host of this page with its port; sites are its subdomains. */
export const BASE_HOST = window.location.host;

type SubdomainFieldProps = {
  value: string;
  onChange: (value: string) => void;
  /** The server's error for this value. */
  rejection?: string | undefined;
  /** The current subdomain of the site. */
  current?: string;
  onFocus?: () => void;
  onBlur?: () => void;
};

/** The subdomain input, checked while typing. */
export function SubdomainField({ value, onChange, rejection, current, ...handlers }: SubdomainFieldProps) {
  const debounced = useDebounced(value, IDLE);
  const check = useSubdomainCheck(debounced, debounced !== "");
  const result = debounced === value ? check.data : undefined;
  const reason = rejection ?? result?.reason ?? undefined;
  return (
    <div className={styles.stack}>
      <Field
        label="Site address"
        hint={value === current ? "This is your current address." : hintOf(value, debounced, check.isFetching, result)}
        error={reason}
      >
        <div className={styles.address}>
          <Input
            value={value}
            autoCapitalize="none"
            autoComplete="off"
            spellCheck={false}
            maxLength={63}
            {...handlers}
            onChange={(event) => onChange(event.target.value.toLowerCase().trim())}
          />
          <span>.{BASE_HOST}</span>
        </div>
      </Field>
      {reason && result && result.suggestion !== value && (
        <p className={styles.note}>
          Available:{" "}
          <Button variant="secondary" size="sm" onClick={() => onChange(result.suggestion)}>
            {result.suggestion}
          </Button>
        </p>
      )}
    </div>
  );
}

function hintOf(value: string, debounced: string, isChecking: boolean, result: SubdomainCheck | undefined): string {
  if (value === "") return "Use letters, numbers and hyphens.";
  if (debounced !== value || isChecking || !result) return "Checking…";
  return result.available ? "This address is available." : "Use letters, numbers and hyphens.";
}
