import { Field, Input, Select, TextArea } from "@/components/ui/field";
import {
  answerName,
  ANSWER_LENGTHS,
  choicesOf,
  type AnswerErrors,
  type Question,
  type TypedAnswers,
} from "@/lib/questions";

type QuestionFieldsProps = {
  questions: readonly Question[];
  answers: TypedAnswers;
  errors?: AnswerErrors;
  /** Whether all questions may stay open. */
  allOptional?: boolean;
  onChange: (answers: TypedAnswers) => void;
};

/** A field for each question of a guru. */
export function QuestionFields({ questions, answers, errors = {}, allOptional, onChange }: QuestionFieldsProps) {
  return questions.map((question, index) => (
    <Field
      key={question.label}
      label={question.label}
      optional={allOptional === true || !question.required}
      error={errors[answerName(index)]}
    >
      <AnswerControl
        question={question}
        name={answerName(index)}
        value={answers[question.label] ?? ""}
        onChange={(answer) => onChange({ ...answers, [question.label]: answer })}
      />
    </Field>
  ));
}

type AnswerControlProps = { question: Question; name: string; value: string; onChange: (answer: string) => void };

function AnswerControl({ question, name, value, onChange }: AnswerControlProps) {
  const choices = choicesOf(question);
  if (choices.length > 0) {
    return (
      <Select
        name={name}
        value={choices.includes(value) ? value : ""}
        onChange={(event) => onChange(event.currentTarget.value)}
      >
        <option value="">Choose an answer</option>
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {choice}
          </option>
        ))}
      </Select>
    );
  }
  return question.kind === "long" ? (
    <TextArea
      name={name}
      rows={3}
      maxLength={ANSWER_LENGTHS.long}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  ) : (
    <Input
      name={name}
      autoComplete="off"
      maxLength={ANSWER_LENGTHS.short}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
