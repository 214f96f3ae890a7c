import { Button } from "@/components/ui/button";
import type { PlaceMatch } from "../api/get-place-match";
import styles from "./places.module.css";

type PlaceChoicesProps = { choices: PlaceMatch["choices"]; onChoose: (label: string) => void };

/** The places that a text may mean, one press each. */
export function PlaceChoices({ choices, onChoose }: PlaceChoicesProps) {
  if (choices.length === 0) return null;
  return (
    <ul className={styles.choices} aria-label="Did you mean">
      {choices.map(({ label }) => (
        <li key={label}>
          <Button variant="secondary" size="sm" onClick={() => onChoose(label)}>
            {label}
          </Button>
        </li>
      ))}
    </ul>
  );
}
