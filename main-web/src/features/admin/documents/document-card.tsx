import { ExternalLink, Eye, EyeOff, History } from "lucide-react";
import { useEffect, useRef, useState, type SubmitEvent } from "react";
import { afterwards } from "../../../kit/afterwards";
import { DOCUMENT_TYPES } from "../../../kit/document-words";
import { safeHref } from "../../../kit/safe-href";
import { Button } from "../../../ui/button";
import { Card } from "../../../ui/card";
import { Field, TextArea } from "../../../ui/field";
import { formatAgo, formatDay } from "../../../ui/format-date";
import { Notice } from "../../../ui/notice";
import { toast } from "../../../ui/toast-store";
import { DocumentHistory } from "./document-history";
import styles from "./documents-tab.module.css";
import type { StaffPaper } from "./get-pending";
import { noteOpening } from "./post-opening";
import { reviewErrorText, useReview } from "./post-status";
import { Preview } from "./preview";

/** A document that waits (SPEC 2.12): its data, the document beside them, and the decision. */
export function DocumentCard({ paper }: { paper: StaffPaper }) {
  const [shown, setShown] = useState(false);
  const [rejecting, setRejecting] = useState(false);
  const [history, setHistory] = useState(false);
  const review = useReview(paper);
  const name = DOCUMENT_TYPES[paper.type];

  return (
    <Card as="article" className={styles.card} aria-labelledby={`paper-${paper.id}`}>
      <div className={styles.data}>
        <h3 id={`paper-${paper.id}`} className={styles.kind}>
          {paper.type}
          {paper.category && ` (${paper.category})`}
        </h3>
        <Data paper={paper} />
        <div className={styles.actions}>
          {paper.file_url && (
            <Button asChild variant="secondary" size="sm">
              <a
                href={safeHref(paper.file_url)}
                target="_blank"
                rel="noreferrer noopener"
                onClick={() => noteOpening(paper)}
                onAuxClick={() => noteOpening(paper)}
              >
                View Document
                <ExternalLink size={15} aria-hidden="true" />
              </a>
            </Button>
          )}
          {paper.file_kind && (
            <Button variant="ghost" size="sm" aria-expanded={shown} onClick={() => setShown(!shown)}>
              {shown ? <EyeOff size={16} aria-hidden="true" /> : <Eye size={16} aria-hidden="true" />}
              {shown ? "Hide here" : "Show here"}
            </Button>
          )}
          <Button variant="ghost" size="sm" onClick={() => setHistory(true)}>
            <History size={16} aria-hidden="true" />
            {paper.reviewed_before > 0 ? `History (${paper.reviewed_before})` : "History"}
          </Button>
        </div>
        {review.isError && (
          <Notice tone="danger">
            {reviewErrorText(review.error)}
            <span className={styles.why}>{review.error.message}</span>
          </Notice>
        )}
        {rejecting ? (
          <Rejection
            pending={review.isPending}
            onCancel={() => setRejecting(false)}
            onReject={(reason) =>
              afterwards(review.mutateAsync({ status: "rejected", reason }), () => toast.success(`${name} rejected.`))
            }
          />
        ) : (
          <div className={styles.decision}>
            <Button
              loading={review.isPending}
              onClick={() =>
                afterwards(review.mutateAsync({ status: "approved", reason: "" }), () => toast.success(`${name} approved.`))
              }
            >
              Approve
            </Button>
            <Button variant="danger" disabled={review.isPending} onClick={() => setRejecting(true)}>
              Reject
            </Button>
          </div>
        )}
      </div>
      {shown && <Preview paper={paper} />}
      {history && <DocumentHistory uid={paper.uid} name={paper.owner_name} onClose={() => setHistory(false)} />}
    </Card>
  );
}

function Data({ paper }: { paper: StaffPaper }) {
  const facts: [string, string][] = [
    ["Provider", paper.provider || "Not specified"],
    ["Number", paper.number || "Not specified"],
    ["Issued", paper.issued_on ? formatDay(paper.issued_on) : "Not specified"],
    ["Expires", paper.expires_on ? formatDay(paper.expires_on) : "Not specified"],
    ["Sent", formatAgo(paper.created_at)],
    ["Guru", paper.owner_name || "Not specified"],
    ["User ID", paper.uid],
  ];
  if (paper.file_name) facts.push(["File", paper.file_name]);
  else if (paper.file_url) facts.push(["Link", paper.file_url]);
  return (
    <dl className={styles.facts}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

type RejectionProps = { pending: boolean; onReject: (reason: string) => void; onCancel: () => void };

function Rejection({ pending, onReject, onCancel }: RejectionProps) {
  const [reason, setReason] = useState("");
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => area.current?.focus(), []);

  function submit(event: SubmitEvent) {
    event.preventDefault();
    onReject(reason.trim());
  }

  return (
    <form className={styles.rejection} onSubmit={submit}>
      <Field label="Reason for rejection (optional):" hint="The guru reads it in the mail and on their documents page.">
        <TextArea
          rows={3}
          maxLength={1000}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
          ref={area}
        />
      </Field>
      <div className={styles.decision}>
        <Button type="submit" variant="danger" loading={pending}>
          Reject document
        </Button>
        <Button variant="ghost" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
