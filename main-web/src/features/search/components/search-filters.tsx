import { SlidersHorizontal } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { cx } from "@/lib/cx";
import { Field, Input, Select } from "@/components/ui/field";
import type { SearchQuery } from "../lib/types";
import styles from "../pages/search-page.module.css";
import { RADIUS_MILES } from "@porchlight/shared/format/distance";

const KIND_LABELS = { offer: "Neighbors", guru: "Gurus", post: "Posts", angel: "Angel's List" };
const DAYS = {
  mon: "Monday",
  tue: "Tuesday",
  wed: "Wednesday",
  thu: "Thursday",
  fri: "Friday",
  sat: "Saturday",
  sun: "Sunday",
};

type SearchFiltersProps = { query: SearchQuery; onChange: (name: keyof SearchQuery, value: string) => void };

const NAMES = ["kind", "near", "withinMiles", "maxPrice", "format", "day", "language"] as const;

/** The filters, kept in the URL. On a narrow screen a button opens them. */
export function SearchFilters({ query, onChange }: SearchFiltersProps) {
  const [open, setOpen] = useState(false);
  const set = NAMES.filter((name) => query[name].trim()).length;
  const bind = (name: keyof SearchQuery) => ({
    value: query[name],
    onChange: (event: { target: { value: string } }) => onChange(name, event.target.value),
  });
  return (
    <div>
      <div className={styles.filtersToggle}>
        <Button
          variant="secondary"
          size="sm"
          aria-expanded={open}
          aria-controls="search-filters"
          onClick={() => setOpen(!open)}
        >
          <SlidersHorizontal size={16} aria-hidden="true" />
          Filters{set > 0 && ` (${set})`}
        </Button>
      </div>
      <div
        id="search-filters"
        className={cx(styles.filters, open && styles.filtersOpen)}
        role="group"
        aria-label="Filters"
      >
        <Field label="Show">
          <Select {...bind("kind")}>
            <option value="">Everything</option>
            {Object.entries(KIND_LABELS).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        </Field>
        <Field label="Near">
          <Input placeholder="City or ZIP code" maxLength={120} autoComplete="address-level2" {...bind("near")} />
        </Field>
        <Field label="Within">
          <Select {...bind("withinMiles")} disabled={!query.near.trim()}>
            <option value="">Any distance</option>
            {RADIUS_MILES.map((miles) => (
              <option key={miles} value={miles}>
                {miles} miles
              </option>
            ))}
          </Select>
        </Field>
        <Field label="Max price">
          <Input inputMode="decimal" placeholder="$ per hour" maxLength={8} {...bind("maxPrice")} />
        </Field>
        <Field label="Format">
          <Select {...bind("format")}>
            <option value="">In person or online</option>
            <option value="in_person">In person</option>
            <option value="online">Online</option>
          </Select>
        </Field>
        <Field label="Day">
          <Select {...bind("day")}>
            <option value="">Any day</option>
            {Object.entries(DAYS).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        </Field>
        <Field label="Language">
          <Input placeholder="Any" maxLength={40} {...bind("language")} />
        </Field>
      </div>
    </div>
  );
}
