import { ArrowDown, ArrowUp, Trash2 } from "lucide-react";
import { useId } from "react";
import { Button } from "@/components/ui/button";
import { CheckField } from "@/components/ui/check-field";
import { Field, Input, Select, TextArea } from "@/components/ui/field";
import type { BookingErrors } from "../lib/booking-settings";
import { KINDS, MAX_QUESTION_LENGTH, type TypedQuestion } from "../lib/typed-questions";
import styles from "./questions.module.css";

type QuestionEditorProps = {
  question: TypedQuestion;
  index: number;
  count: number;
  errors: BookingErrors;
  onChange: (part: Partial<TypedQuestion>) => void;
  onMove: (by: -1 | 1) => void;
  onRemove: () => void;
};

/** One question with its kind, and the buttons that move and remove it. */
export function QuestionEditor({ question, index, count, errors, onChange, onMove, onRemove }: QuestionEditorProps) {
  const id = useId();
  const name = `question ${index + 1}`;
  return (
    <fieldset className={styles.question}>
      <legend className={styles.legend}>Question {index + 1}</legend>
      <Field label="Your question" error={errors[`questions.${index}.label`]}>
        <Input
          name={`questions.${index}.label`}
          maxLength={MAX_QUESTION_LENGTH}
          value={question.label}
          onChange={(event) => onChange({ label: event.target.value })}
        />
      </Field>
      <Field label="They answer with">
        <Select
          value={question.kind}
          onChange={(event) => onChange({ kind: event.target.value as TypedQuestion["kind"] })}
        >
          {KINDS.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      </Field>
      {question.kind === "choice" && (
        <Field label="Choices" hint="One on each line, two to eight." error={errors[`questions.${index}.choices`]}>
          <TextArea
            name={`questions.${index}.choices`}
            rows={4}
            value={question.choices}
            onChange={(event) => onChange({ choices: event.target.value })}
          />
        </Field>
      )}
      <CheckField
        id={id}
        label="Neighbors have to answer"
        checked={question.required}
        onChange={(event) => onChange({ required: event.target.checked })}
      />
      <div className={styles.buttons}>
        {([-1, 1] as const).map((by) => {
          const Icon = by === -1 ? ArrowUp : ArrowDown;
          return (
            <Button
              key={by}
              size="sm"
              variant="ghost"
              data-move={`${index} ${by}`}
              disabled={index + by < 0 || index + by >= count}
              aria-label={`Move ${name} ${by === -1 ? "up" : "down"}`}
              onClick={() => onMove(by)}
            >
              <Icon size={17} aria-hidden="true" />
            </Button>
          );
        })}
        <Button size="sm" variant="ghost" aria-label={`Remove ${name}`} onClick={onRemove}>
          <Trash2 size={17} aria-hidden="true" />
          Remove
        </Button>
      </div>
    </fieldset>
  );
}
