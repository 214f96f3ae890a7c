import { guruFacts } from "../lib/display-rules";
import type { Facts, Service } from "../lib/types";
import { Icon } from "./ui/icon";

/** What visitors weigh before they ask: price, answer time and sessions. Nothing is shown for what is not known. */
export function GuruFacts({ facts, services }: { facts: Facts; services: readonly Service[] }) {
  const known = guruFacts(facts, services);
  if (known.length === 0) return null;
  return (
    <ul className="icon-list guru-facts" aria-label="Good to know">
      {known.map(({ icon, text }) => (
        <li key={icon}>
          <Icon name={icon} />
          {text}
        </li>
      ))}
    </ul>
  );
}
