import { Field, Input, Select } from "../../ui/field";
import type { Question } from "./get-search";
import styles from "./search-page.module.css";

const KINDS = { offer: "Neighbors", guru: "Gurus", post: "Posts", angel: "Angel's List" };
const DAYS = { mon: "Monday", tue: "Tuesday", wed: "Wednesday", thu: "Thursday", fri: "Friday", sat: "Saturday", sun: "Sunday" };
const MILES = [2, 5, 10, 25, 50];

type SearchFiltersProps = { question: Question; onChange: (name: keyof Question, value: string) => void };

/** What is let through; each filter is in the address at once. */
export function SearchFilters({ question, onChange }: SearchFiltersProps) {
  const bind = (name: keyof Question) => ({
    value: question[name],
    onChange: (event: { target: { value: string } }) => onChange(name, event.target.value),
  });
  return (
    <div className={styles.filters} role="group" aria-label="Filters">
      <Field label="Show">
        <Select {...bind("kind")}>
          <option value="">Everything</option>
          {Object.entries(KINDS).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      </Field>
      <Field label="Near">
        <Input placeholder="Denver, Colorado" maxLength={120} autoComplete="address-level2" {...bind("near")} />
      </Field>
      <Field label="Within">
        <Select {...bind("withinMiles")} disabled={!question.near.trim()}>
          <option value="">Any distance</option>
          {MILES.map((miles) => (
            <option key={miles} value={miles}>
              {miles} miles
            </option>
          ))}
        </Select>
      </Field>
      <Field label="Up to">
        <Input inputMode="decimal" placeholder="$ an hour" maxLength={8} {...bind("maxPrice")} />
      </Field>
      <Field label="How">
        <Select {...bind("format")}>
          <option value="">Either way</option>
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
  );
}
