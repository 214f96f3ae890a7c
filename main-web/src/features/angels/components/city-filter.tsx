import { Field, Select } from "@/components/ui/field";
import styles from "./angels.module.css";

type CityFilterProps = {
  cities: readonly string[];
  /** The chosen city, "" for all. */
  city: string;
  onChange: (city: string) => void;
};

/** Chooses the city in which angels are shown. */
export function CityFilter({ cities, city, onChange }: CityFilterProps) {
  return (
    <div className={styles.filters}>
      <Field label="City">
        <Select value={city} onChange={(event) => onChange(event.target.value)}>
          <option value="">All Cities</option>
          {cities.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </Select>
      </Field>
    </div>
  );
}
