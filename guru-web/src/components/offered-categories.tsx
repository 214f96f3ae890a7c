import type { Guru } from "../lib/types";
import { Icon } from "./ui/icon";

/** The categories a guru offers, with a badge where the required documents are approved. */
export function OfferedCategories({ categories }: { categories: Guru["categories"] }) {
  if (categories.length === 0) return null;
  return (
    <ul className="categories" aria-label="Categories">
      {categories.map(({ slug, name, verified }) => (
        <li key={slug}>
          {name}
          {verified && (
            <>
              <Icon name="badge-check" />
              <span className="visually-hidden"> (documents verified)</span>
            </>
          )}
        </li>
      ))}
    </ul>
  );
}
