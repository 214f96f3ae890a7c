import { ExternalLink } from "lucide-react";
import { mapUrl } from "@/lib/calendar-links";
import styles from "./sessions.module.css";

/** The address of a session with a link to a map, or the link to an online session. */
export function PlaceAddress({ text }: { text: string }) {
  if (/^https?:\/\/\S+$/i.test(text)) {
    return (
      <div className={styles.userText}>
        <a href={text} target="_blank" rel="noreferrer">
          {text}
        </a>
      </div>
    );
  }
  const map = mapUrl(text);
  return (
    <>
      <div className={styles.userText}>{text}</div>
      {map !== null && (
        <a href={map} target="_blank" rel="noopener noreferrer" className={styles.map}>
          Open in Maps <ExternalLink size={14} aria-hidden="true" />
        </a>
      )}
    </>
  );
}
