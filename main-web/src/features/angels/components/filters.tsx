import { Search } from "lucide-react";
import { cx } from "@/lib/cx";
import { Input, Select } from "@/components/ui/field";
import styles from "./filters.module.css";

type FiltersProps = {
  search: string;
  onSearch: (text: string) => void;
  cities: readonly string[];
  /** "" for all. */
  city: string;
  onCity: (city: string) => void;
  categories: readonly string[];
  /** "" for all. */
  category: string;
  onCategory: (category: string) => void;
};

export function Filters(props: FiltersProps) {
  return (
    <div className={styles.filters} role="search" aria-label="Services">
      <div className={styles.row}>
        <div className={styles.searchBox}>
          <Search size={18} aria-hidden="true" />
          <Input
            type="search"
            className={styles.search}
            aria-label="Search services"
            placeholder="What do you need help with?"
            maxLength={100}
            value={props.search}
            onChange={(event) => props.onSearch(event.target.value)}
          />
        </div>
        <div className={styles.city}>
          <Select aria-label="City" value={props.city} onChange={(event) => props.onCity(event.target.value)}>
            <option value="">All Cities</option>
            {props.cities.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </Select>
        </div>
      </div>
      <div className={styles.categories} role="group" aria-label="Category">
        {["", ...props.categories].map((name) => (
          <button
            key={name}
            type="button"
            className={cx(styles.category, name === props.category && styles.chosen)}
            aria-pressed={name === props.category}
            onClick={() => props.onCategory(name)}
          >
            {name || "All"}
          </button>
        ))}
      </div>
    </div>
  );
}
