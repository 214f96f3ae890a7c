import type { ReactNode } from "react";
import styles from "./waiver-modal.module.css";

/** A waiver text: Markdown with headings, paragraphs and lists, without inline markup. The title is left out. */
export function WaiverTextBody({ body }: { body: string }) {
  return (
    <div className={styles.text}>
      {body
        .trim()
        .split("\n\n")
        .filter((block) => !block.startsWith("# "))
        .map((block, index) => (
          <Block key={index} block={block} />
        ))}
    </div>
  );
}

function Block({ block }: { block: string }): ReactNode {
  if (block.startsWith("## ")) return <h4>{block.slice(3)}</h4>;
  if (!block.startsWith("- ")) return <p>{block}</p>;
  return (
    <ul>
      {block
        .slice(2)
        .split("\n- ")
        .map((item) => (
          <li key={item}>{item}</li>
        ))}
    </ul>
  );
}
