import type { Question } from "@/lib/questions";

export const MAX_QUESTIONS = 5;
export const MAX_QUESTION_LENGTH = 120;
const MIN_CHOICES = 2;
const MAX_CHOICES = 8;
const MAX_CHOICE_LENGTH = 80;

/** A question as typed. `choices` are lines of text; they stay when another kind is chosen. */
export type TypedQuestion = Pick<Question, "label" | "kind" | "required"> & { key: number; choices: string };

/** The name of a field of a question in errors, as the API names it. */
export type QuestionField = `questions.${number}.${"label" | "choices"}`;
export type QuestionErrors = Partial<Record<QuestionField, string>>;

export const KINDS: readonly { value: Question["kind"]; label: string }[] = [
  { value: "short", label: "A few words" },
  { value: "long", label: "Several lines" },
  { value: "choice", label: "One of your choices" },
  { value: "yes_no", label: "Yes or no" },
];

export const typedQuestions = (questions: readonly Question[]): TypedQuestion[] =>
  questions.map(({ label, kind, required, choices }, key) => ({
    key,
    label,
    kind,
    required,
    choices: choices.join("\n"),
  }));

/** Return an empty question to add to others. */
export function newQuestion(others: readonly TypedQuestion[]): TypedQuestion {
  const key = Math.max(-1, ...others.map((one) => one.key)) + 1;
  return { key, label: "", kind: "short", required: false, choices: "" };
}

/** Return the question as it is sent and shown. */
export function toQuestion({ label, kind, required, choices }: TypedQuestion): Question {
  return { label: label.trim(), kind, required, choices: kind === "choice" ? linesOf(choices) : [] };
}

/** Return questions in another order: the one at `from` moves by one place. */
export function moveQuestion(questions: readonly TypedQuestion[], from: number, by: -1 | 1): TypedQuestion[] {
  const moved = [...questions];
  moved.splice(from + by, 0, ...moved.splice(from, 1));
  return moved;
}

/** Return one sentence per field that can't be saved. */
export function questionErrors(typed: readonly TypedQuestion[]): QuestionErrors {
  const errors: QuestionErrors = {};
  const labels = typed.map(({ label }) => label.trim().toLowerCase());
  typed.forEach((question, index) => {
    const label = labelError(labels, index);
    const choices = question.kind === "choice" ? choicesError(linesOf(question.choices)) : "";
    if (label) errors[`questions.${index}.label`] = label;
    if (choices) errors[`questions.${index}.choices`] = choices;
  });
  return errors;
}

/** The name of the control of the first field with an error, or "". */
export function firstWrongField(errors: Readonly<Record<string, string | undefined>>): string {
  for (let index = 0; index < MAX_QUESTIONS; index++) {
    for (const field of ["label", "choices"] as const) {
      const name: QuestionField = `questions.${index}.${field}`;
      if (errors[name] !== undefined) return name;
    }
  }
  return "";
}

function labelError(labels: readonly string[], index: number): string {
  const label = labels[index] ?? "";
  if (label === "") return "Enter your question.";
  if (label.length > MAX_QUESTION_LENGTH) return `Use up to ${MAX_QUESTION_LENGTH} characters.`;
  return labels.indexOf(label) < index ? "You already ask this. Please ask each question once." : "";
}

function choicesError(choices: readonly string[]): string {
  if (choices.length < MIN_CHOICES || choices.length > MAX_CHOICES) {
    return `Enter ${MIN_CHOICES} to ${MAX_CHOICES} choices, one on each line.`;
  }
  if (choices.some((choice) => choice.length > MAX_CHOICE_LENGTH)) {
    return `Use up to ${MAX_CHOICE_LENGTH} characters for each choice.`;
  }
  const distinct = new Set(choices.map((choice) => choice.toLowerCase()));
  return distinct.size < choices.length ? "Enter each choice once." : "";
}

const linesOf = (text: string) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
