import { CircleAlert, Star } from "lucide-react";
import { useId } from "react";
import styles from "./review-form.module.css";

const WORDS = ["Poor", "Fair", "Good", "Very good", "Excellent"];

type StarChoiceProps = {
  legend: string;
  /** 1 to 5, or 0 for none. */
  value: number;
  onChange: (stars: number) => void;
  error?: string | undefined;
};

/** A choice of one to five stars: radio buttons, so that arrow keys change it. */
export function StarChoice({ legend, value, onChange, error }: StarChoiceProps) {
  const id = useId();
  return (
    <fieldset className={styles.fieldset} aria-describedby={error ? `${id}-error` : undefined}>
      <legend className={styles.legend}>{legend}</legend>
      <div className={styles.choice}>
        {WORDS.map((word, index) => (
          <label key={word} className={styles.star} data-full={index < value}>
            <input
              type="radio"
              name={id}
              value={index + 1}
              checked={value === index + 1}
              aria-label={`${index + 1} ${index === 0 ? "star" : "stars"}: ${word}`}
              onChange={() => onChange(index + 1)}
            />
            <Star size={28} aria-hidden="true" />
          </label>
        ))}
        <span className={styles.word} aria-hidden="true">
          {WORDS[value - 1] ?? ""}
        </span>
      </div>
      <div aria-live="polite">
        {error && (
          <p id={`${id}-error`} className={styles.error}>
            <CircleAlert size={15} aria-hidden="true" />
            {error}
          </p>
        )}
      </div>
    </fieldset>
  );
}
