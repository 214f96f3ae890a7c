import { Plus, X } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/field";
import { MAX_RANGES, nextRange, type TypedRange } from "../lib/ranges";
import styles from "./hours.module.css";

type RangeFieldsProps = {
  /** Whose hours these are, such as "Monday": part of the labels. */
  name: string;
  ranges: readonly TypedRange[];
  error: string;
  onChange: (ranges: TypedRange[]) => void;
};

/** The hours of one day: any number of ranges. */
export function RangeFields({ name, ranges, error, onChange }: RangeFieldsProps) {
  const change = (at: number, part: Partial<TypedRange>) =>
    onChange(ranges.map((range, index) => (index === at ? { ...range, ...part } : range)));
  const invalid = error ? true : undefined;
  return (
    <div className={styles.ranges}>
      {ranges.length === 0 && <p className={styles.closed}>Closed</p>}
      {ranges.map(({ start, end }, at) => (
        <div key={at} className={styles.range}>
          <Input
            type="time"
            aria-label={`${name}, from${ranges.length > 1 ? ` (${at + 1})` : ""}`}
            aria-invalid={invalid}
            value={start}
            onChange={(event) => change(at, { start: event.target.value })}
          />
          <span aria-hidden="true">–</span>
          <Input
            type="time"
            aria-label={`${name}, to${ranges.length > 1 ? ` (${at + 1})` : ""}`}
            aria-invalid={invalid}
            value={end}
            onChange={(event) => change(at, { end: event.target.value })}
          />
          <Button
            variant="ghost"
            className={styles.remove}
            aria-label={`Remove hours ${at + 1} of ${name}`}
            onClick={() => onChange(ranges.filter((_, index) => index !== at))}
          >
            <X size={17} aria-hidden="true" />
          </Button>
        </div>
      ))}
      <div aria-live="polite">{error && <p className={styles.error}>{error}</p>}</div>
      <Button
        size="sm"
        variant="ghost"
        className={styles.add}
        disabled={ranges.length >= MAX_RANGES}
        aria-label={`Add hours to ${name}`}
        onClick={() => onChange([...ranges, nextRange(ranges)])}
      >
        <Plus size={16} aria-hidden="true" />
        Add hours
      </Button>
    </div>
  );
}
