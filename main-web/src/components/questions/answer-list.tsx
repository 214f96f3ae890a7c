import type { Answer } from "@/lib/questions";
import styles from "./answer-list.module.css";

/** A guru's questions with what a person answered. */
export function AnswerList({ answers }: { answers: readonly Answer[] }) {
  return (
    <dl className={styles.answers}>
      {answers.map(({ question, answer }) => (
        <div key={question}>
          <dt>{question}</dt>
          <dd>{answer}</dd>
        </div>
      ))}
    </dl>
  );
}
