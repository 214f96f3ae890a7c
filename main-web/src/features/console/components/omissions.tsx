import { Notice } from "@/components/ui/notice";
import styles from "./omissions.module.css";

/** What readers will not see of a text as it was typed. */
export function Omissions({ sentences }: { sentences: readonly string[] }) {
  if (sentences.length === 0) return null;
  return (
    <Notice>
      <p>Readers won't see all of this as you typed it:</p>
      <ul className={styles.list}>
        {sentences.map((each) => (
          <li key={each}>{each}</li>
        ))}
      </ul>
    </Notice>
  );
}
