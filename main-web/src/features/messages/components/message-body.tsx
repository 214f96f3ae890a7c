import { cx } from "@/lib/cx";
import { bodyParts, isOnlyEmoji } from "../lib/body";
import styles from "./bubble.module.css";

/** The text of a message, in its own direction, with its links. */
export function MessageBody({ body }: { body: string }) {
  return (
    <p className={cx(styles.body, isOnlyEmoji(body) && styles.emoji)} dir="auto">
      {bodyParts(body).map(({ text, href }, index) =>
        href ? (
          <a key={index} href={href} target="_blank" rel="nofollow noopener noreferrer">
            {text}
          </a>
        ) : (
          <span key={index}>{text}</span>
        ),
      )}
    </p>
  );
}
