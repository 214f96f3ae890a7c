import { Lamp } from "lucide-react";
import { useDeferredValue } from "react";
import { usePorchLights } from "@/features/porch-lights/contract";
import { cardId, FREE_NEIGHBORS_ID, MAX_SHOWN } from "./free-neighbors";
import styles from "./hero.module.css";
import { formatLocalClock } from "@porchlight/shared/format/dates";

/** On the street of the hero: a lit house for each neighbor who is free this evening, linked to who they are. */
export function LightsLink() {
  const lights = useDeferredValue(usePorchLights().data) ?? [];
  if (lights.length === 0) return null;
  return (
    <div className={styles.lights}>
      <ul className={styles.houses} aria-label="Lit houses">
        {lights.slice(0, MAX_SHOWN).map((light) => (
          <li key={cardId(light)}>
            <a href={`#${cardId(light)}`} title={`${light.name}, until ${formatLocalClock(light.until)}`}>
              <LitHouse />
              <span className="visually-hidden">{light.name}</span>
            </a>
          </li>
        ))}
      </ul>
      <a className={styles.count} href={`#${FREE_NEIGHBORS_ID}`}>
        <Lamp size={18} aria-hidden="true" />
        {lights.length === 1 ? "1 porch light is on" : `${lights.length} porch lights are on`}
      </a>
    </div>
  );
}

function LitHouse() {
  return (
    <svg viewBox="0 0 40 40" width={40} height={40} aria-hidden="true" focusable="false">
      <path d="M4 20 20 6l16 14v16H4z" fill="#14211d" stroke="var(--color-warning)" strokeWidth="1.5" />
      <path d="M9 36v-9h7v9z" fill="#0a100e" />
      <path d="M21 22h9v9h-9z" fill="var(--color-warning)" />
      <path d="M25.5 22v9M21 26.5h9" stroke="#14211d" strokeWidth="1.2" />
      <circle cx="12.5" cy="22.5" r="2.2" fill="var(--color-warning)" />
    </svg>
  );
}
