import { Plus } from "lucide-react";
import { useRef, useState } from "react";
import { QuestionFields } from "@/components/questions/question-fields";
import { Button } from "@/components/ui/button";
import { Hint } from "@/components/ui/hint";
import { SectionCard } from "@/components/ui/section-card";
import type { BookingErrors, TypedBooking } from "../lib/booking-settings";
import { MAX_QUESTIONS, moveQuestion, newQuestion, toQuestion, type TypedQuestion } from "../lib/typed-questions";
import { QuestionEditor } from "./question-editor";
import styles from "./questions.module.css";

type QuestionsFieldsProps = {
  typed: TypedBooking;
  errors: BookingErrors;
  onChange: (part: Partial<TypedBooking>) => void;
};

/** The questions that neighbors answer when they book, and how they see them. */
export function QuestionsFields({ typed, errors, onChange }: QuestionsFieldsProps) {
  const { questions } = typed;
  const list = useRef<HTMLDivElement>(null);
  const [announcement, setAnnouncement] = useState("");
  const change = (changed: TypedQuestion[]) => onChange({ questions: changed });

  /** Focus a control after the list has changed. */
  function focus(...selectors: string[]) {
    requestAnimationFrame(() => {
      const found = selectors.map((one) => list.current?.querySelector<HTMLElement>(one));
      found.find((one) => one)?.focus();
    });
  }

  function add() {
    change([...questions, newQuestion(questions)]);
    focus(`[name="questions.${questions.length}.label"]`);
  }

  function remove(index: number) {
    change(questions.filter((_, each) => each !== index));
    setAnnouncement(`Question ${index + 1} is removed.`);
    focus(`[name="questions.${Math.min(index, questions.length - 2)}.label"]`, "[data-add]");
  }

  function move(index: number, by: -1 | 1) {
    const to = index + by;
    change(moveQuestion(questions, index, by));
    setAnnouncement(`The question is now ${to + 1} of ${questions.length}.`);
    focus(`[data-move="${to} ${by}"]:not([aria-disabled="true"])`, `[data-move="${to} ${-by}"]`);
  }

  return (
    <SectionCard
      id="booking-questions"
      title="Questions"
      hint="Neighbors answer them when they book. Booked sessions keep the questions that were asked."
    >
      <div ref={list} className={styles.questions}>
        <p className="visually-hidden" aria-live="polite">
          {announcement}
        </p>
        {questions.map((question, index) => (
          <QuestionEditor
            key={question.key}
            question={question}
            index={index}
            count={questions.length}
            errors={errors}
            onChange={(part) =>
              change(questions.map((each, position) => (position === index ? { ...each, ...part } : each)))
            }
            onMove={(by) => move(index, by)}
            onRemove={() => remove(index)}
          />
        ))}
        {questions.length < MAX_QUESTIONS ? (
          <div>
            <Button variant="secondary" size="sm" data-add onClick={add}>
              <Plus size={17} aria-hidden="true" />
              Add a question
            </Button>
          </div>
        ) : (
          <Hint>You can ask up to {MAX_QUESTIONS} questions.</Hint>
        )}
      </div>
      <Preview questions={questions} />
    </SectionCard>
  );
}

/** The fields as neighbors see them. They are a picture: no one fills them in here. */
function Preview({ questions }: { questions: readonly TypedQuestion[] }) {
  const shown = questions.map(toQuestion).filter(({ label }) => label !== "");
  const distinct = shown.filter(({ label }, index) => shown.findIndex((one) => one.label === label) === index);
  if (distinct.length === 0) return null;
  return (
    <div className={styles.preview}>
      <p className={styles.previewTitle}>What neighbors see</p>
      <div inert className={styles.previewFields}>
        <QuestionFields questions={distinct} answers={{}} onChange={() => undefined} />
      </div>
    </div>
  );
}
