import { useQuery } from "@tanstack/react-query";
import { DOCUMENT_STATUS, DOCUMENT_TYPES } from "../../../kit/document-words";
import { safeHref } from "../../../kit/safe-href";
import { Badge } from "../../../ui/badge";
import { formatDay } from "../../../ui/format-date";
import { Details } from "../details";
import styles from "./documents-tab.module.css";
import { historyQuery } from "./get-history";
import { noteOpening } from "./post-opening";
import type { components } from "@porchlight/shared/api.gen";

type Happening = components["schemas"]["Happening"];

const WORDS: Record<Happening["kind"], string> = {
  submitted: "Sent in",
  opened: "Opened",
  approved: "Approved",
  rejected: "Rejected",
  reminded: "Reminded",
  lapsed: "Expired",
};

const TIME = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeStyle: "short" });

/** Everything somebody ever sent in, and what happened to it. */
export function DocumentHistory({ uid, name, onClose }: { uid: string; name: string; onClose: () => void }) {
  const history = useQuery(historyQuery(uid));
  return (
    <Details title={`Documents of ${name || uid}`} query={history} onClose={onClose}>
      {({ documents }) => (
        <ol className={styles.history}>
          {documents.map(({ document, events }) => (
            <li key={document.id}>
              <div className={styles.head}>
                <h3 className={styles.name}>
                  {DOCUMENT_TYPES[document.type]}
                  {document.category_name && ` (${document.category_name})`}
                </h3>
                <Badge tone={DOCUMENT_STATUS[document.status].tone}>{DOCUMENT_STATUS[document.status].words}</Badge>
              </div>
              <p className={styles.note}>
                {[
                  document.provider,
                  document.number,
                  document.expires_on && `expires ${formatDay(document.expires_on)}`,
                ]
                  .filter(Boolean)
                  .join(" · ")}
                {document.file_url && (
                  <>
                    {" "}
                    <a
                      href={safeHref(document.file_url)}
                      target="_blank"
                      rel="noreferrer noopener"
                      onClick={() => noteOpening(document)}
                    >
                      View Document
                    </a>
                  </>
                )}
              </p>
              <ol className={styles.events}>
                {events.map((event) => (
                  <li key={event.kind + event.at + event.actor}>
                    <time dateTime={event.at}>{TIME.format(new Date(event.at))}</time>
                    <span>
                      {WORDS[event.kind]} <span className={styles.soft}>by {event.actor}</span>
                      {event.note && <span className={styles.said}>{event.note}</span>}
                    </span>
                  </li>
                ))}
              </ol>
            </li>
          ))}
        </ol>
      )}
    </Details>
  );
}
