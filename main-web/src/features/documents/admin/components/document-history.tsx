import { useQuery } from "@tanstack/react-query";
import { DOCUMENT_STATUS, DOCUMENT_TYPES } from "@/lib/document-labels";
import { safeHref } from "@/lib/safe-href";
import { Badge } from "@/components/ui/badge";
import { Details } from "@/components/ui/details";
import { actorName } from "@/features/admin/contract";
import styles from "./documents-tab.module.css";
import { documentHistoryQuery } from "../api/get-document-history";
import { recordDocumentAccess } from "../api/record-document-access";
import type { components } from "@porchlight/shared/api.gen";
import { formatDate, formatTimestamp } from "@porchlight/shared/format/dates";

type DocumentEvent = components["schemas"]["DocumentEventResponse"];

const EVENT_LABELS: Record<DocumentEvent["kind"], string> = {
  submitted: "Uploaded",
  opened: "Opened",
  approved: "Approved",
  rejected: "Rejected",
  reminded: "Reminder sent",
  lapsed: "Expired",
};

/** All documents of a user and their events. */
export function DocumentHistory({ uid, name, onClose }: { uid: string; name: string; onClose: () => void }) {
  const history = useQuery(documentHistoryQuery(uid));
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
                <Badge tone={DOCUMENT_STATUS[document.status].tone}>{DOCUMENT_STATUS[document.status].label}</Badge>
              </div>
              <p className={styles.note}>
                {[
                  document.provider,
                  document.number,
                  document.expires_on && `expires ${formatDate(document.expires_on)}`,
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
                      onClick={() => recordDocumentAccess(document)}
                    >
                      View Document
                    </a>
                  </>
                )}
              </p>
              <ol className={styles.events}>
                {events.map((event) => (
                  <li key={event.kind + event.at + event.actor}>
                    <time dateTime={event.at}>{formatTimestamp(event.at)}</time>
                    <span>
                      {EVENT_LABELS[event.kind]} <span className={styles.soft}>by {actorName(event.actor)}</span>
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
