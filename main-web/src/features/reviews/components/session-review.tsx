import type { ReactNode } from "react";
import { Stars } from "./stars";
import styles from "./reviews.module.css";

type SessionReviewProps = {
  stars: number;
  body: string;
  /** "" where there is none. */
  privateNote: string;
  removedWhy: string;
  /** Who wrote it, and when. */
  caption: ReactNode;
  reply: string;
  replyBy: string;
};

/** A review of a session as one of its two sides reads it. */
export function SessionReview({ stars, body, privateNote, removedWhy, caption, reply, replyBy }: SessionReviewProps) {
  return (
    <figure className={styles.review}>
      <Stars count={stars} />
      {body && <blockquote className={styles.words}>{body}</blockquote>}
      {privateNote && (
        <p className={styles.note}>
          <strong>Private note:</strong> <span className={styles.words}>{privateNote}</span>
        </p>
      )}
      <figcaption className={styles.caption}>{caption}</figcaption>
      {removedWhy && <p className={styles.removed}>Removed by our team: {removedWhy}</p>}
      {reply && (
        <blockquote className={styles.reply}>
          <strong>{replyBy}:</strong> {reply}
        </blockquote>
      )}
    </figure>
  );
}
