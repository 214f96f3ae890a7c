import { useState, type ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { Field, TextArea } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { MAX_WORDS, type ReviewValues } from "../lib/review-draft";
import { StarChoice } from "./star-choice";
import styles from "./review-form.module.css";

type ReviewFormProps = {
  /** What the stars are for. */
  legend: string;
  values: ReviewValues;
  onChange: (values: Partial<ReviewValues>) => void;
  onSubmit: () => void;
  pending: boolean;
  error: Error | null;
  submitLabel: string;
  /** The name of who reads a private note; without it, there is none. */
  noteTo?: string;
  maxWords?: number;
  /** Whether stars are required. */
  needsStars?: boolean;
  /** Who will see the review. */
  hint?: string;
  /** More buttons. */
  children?: ReactNode;
};

/** The form of every review: stars, words, and for sessions a private note. Its owner keeps what is typed. */
export function ReviewForm({
  legend,
  values,
  onChange,
  onSubmit,
  pending,
  error,
  submitLabel,
  noteTo,
  maxWords = MAX_WORDS,
  needsStars = true,
  hint,
  children,
}: ReviewFormProps) {
  const [lacksStars, setLacksStars] = useState(false);
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const isIncomplete = needsStars && values.stars === 0;
        setLacksStars(isIncomplete);
        if (!isIncomplete && !pending) onSubmit();
      }}
    >
      <StarChoice
        legend={legend}
        value={values.stars}
        onChange={(stars) => {
          setLacksStars(false);
          onChange({ stars });
        }}
        error={lacksStars ? "Please choose one to five stars." : undefined}
      />
      <Field label="Your review" optional {...(hint ? { hint } : {})}>
        <TextArea
          rows={4}
          maxLength={maxWords}
          value={values.body}
          onChange={(event) => onChange({ body: event.target.value })}
        />
      </Field>
      {noteTo !== undefined && (
        <Field label={`A private note to ${noteTo}`} hint={`Only ${noteTo} reads it. It's never public.`} optional>
          <TextArea
            rows={2}
            maxLength={maxWords}
            value={values.privateNote}
            onChange={(event) => onChange({ privateNote: event.target.value })}
          />
        </Field>
      )}
      {error && <Notice tone="danger">{error.message}</Notice>}
      <div className={styles.buttons}>
        <Button type="submit" loading={pending}>
          {submitLabel}
        </Button>
        {children}
      </div>
    </form>
  );
}
