import { Icon } from "../ui/icon";
import type { Guru } from "./types";

/** The badge of a guru whose documents we have all seen. */
export function VerifiedBadge() {
  return (
    <strong className="verified">
      <Icon name="badge-check" />
      Verified
    </strong>
  );
}

/** The kinds of things a guru offers, with a tick where documents were asked for and seen. */
export function Offered({ guru }: { guru: Guru }) {
  if (guru.categories.length === 0) return null;
  return (
    <ul className="kinds" aria-label="Offers">
      {guru.categories.map(({ slug, name, verified }) => (
        <li key={slug}>
          {name}
          {verified && (
            <>
              <Icon name="badge-check" />
              <span className="hidden"> (documents verified)</span>
            </>
          )}
        </li>
      ))}
    </ul>
  );
}
