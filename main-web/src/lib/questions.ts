import type { components } from "@porchlight/shared/api.gen";

/** A question that a guru asks before a session of a service is booked. */
export type Question = components["schemas"]["QuestionData"];
export type Answer = components["schemas"]["AnswerData"];
/** What was typed, by the label of its question. */
export type TypedAnswers = Readonly<Record<string, string>>;
/** One sentence per question, under `answers.` and its number from 0, as the API names them. */
export type AnswerErrors = Readonly<Record<string, string | undefined>>;

export const YES_OR_NO = ["Yes", "No"] as const;
export const ANSWER_LENGTHS = { short: 120, long: 500 } as const;

/** Return the answers to send: those to the questions that are asked, without empty ones. */
export function answersOf(questions: readonly Question[], typed: TypedAnswers): Answer[] {
  return questions
    .map(({ label }) => ({ question: label, answer: (typed[label] ?? "").trim() }))
    .filter(({ answer }) => answer !== "");
}

/** Return what was answered in the form that fields show. */
export function typedAnswers(answers: readonly Answer[]): TypedAnswers {
  return Object.fromEntries(answers.map(({ question, answer }) => [question, answer]));
}

/** Return one sentence per question whose answer is missing or none of its choices. */
export function answerErrors(questions: readonly Question[], typed: TypedAnswers): AnswerErrors {
  return Object.fromEntries(
    questions.flatMap((question, index) => {
      const answer = (typed[question.label] ?? "").trim();
      if (answer === "") return question.required ? [[`answers.${index}`, "Please answer this question."]] : [];
      const choices = choicesOf(question);
      return choices.length > 0 && !choices.includes(answer)
        ? [[`answers.${index}`, "Choose one of the answers."]]
        : [];
    }),
  );
}

/** The answers of which one is chosen; none for a question that is answered in words. */
export function choicesOf({ kind, choices }: Pick<Question, "kind" | "choices">): readonly string[] {
  return kind === "yes_no" ? YES_OR_NO : kind === "choice" ? choices : [];
}

/** The `name` of the control that answers a question. */
export const answerName = (index: number) => `answers.${index}`;

/** Focus the first of the questions that have an error. Return whether there is one. */
export function focusFirstAnswer(questions: readonly Question[], errors: AnswerErrors): boolean {
  const first = questions.findIndex((_, index) => errors[answerName(index)] !== undefined);
  if (first !== -1) document.querySelector<HTMLElement>(`[name="${answerName(first)}"]`)?.focus();
  return first !== -1;
}
