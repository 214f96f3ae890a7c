import { ExternalLink, Eye, EyeOff, History } from "lucide-react";
import { useEffect, useState } from "react";
import { useForm } from "react-hook-form";
import { onSettled } from "@/lib/on-settled";
import { DOCUMENT_TYPES } from "@/lib/document-labels";
import { safeHref } from "@/lib/safe-href";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Field, TextArea } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { toast } from "@/lib/toast-store";
import { DocumentHistory } from "./document-history";
import styles from "./documents-tab.module.css";
import type { AdminDocument } from "../api/get-pending-documents";
import { recordDocumentAccess } from "../api/record-document-access";
import { reviewErrorText, useReviewDocument } from "../api/review-document";
import { DocumentPreview } from "./document-preview";
import { formatDate, formatRelativeTime } from "@porchlight/shared/format/dates";

/** A document waiting for review (SPEC 2.12): its data, a preview and the decision. */
export function DocumentCard({ adminDocument }: { adminDocument: AdminDocument }) {
  const [isPreviewOpen, setIsPreviewOpen] = useState(false);
  const [isRejecting, setIsRejecting] = useState(false);
  const [isHistoryOpen, setIsHistoryOpen] = useState(false);
  const review = useReviewDocument(adminDocument);
  const name = DOCUMENT_TYPES[adminDocument.type];

  return (
    <Card as="article" className={styles.card} aria-labelledby={`paper-${adminDocument.id}`}>
      <div className={styles.data}>
        <h3 id={`paper-${adminDocument.id}`} className={styles.kind}>
          {adminDocument.type}
          {adminDocument.category && ` (${adminDocument.category})`}
        </h3>
        <Data adminDocument={adminDocument} />
        <div className={styles.actions}>
          {adminDocument.file_url && (
            <Button asChild variant="secondary" size="sm">
              <a
                href={safeHref(adminDocument.file_url)}
                target="_blank"
                rel="noreferrer noopener"
                onClick={() => recordDocumentAccess(adminDocument)}
                onAuxClick={() => recordDocumentAccess(adminDocument)}
              >
                View Document
                <ExternalLink size={15} aria-hidden="true" />
              </a>
            </Button>
          )}
          {adminDocument.file_kind && (
            <Button
              variant="ghost"
              size="sm"
              aria-expanded={isPreviewOpen}
              onClick={() => setIsPreviewOpen(!isPreviewOpen)}
            >
              {isPreviewOpen ? <EyeOff size={16} aria-hidden="true" /> : <Eye size={16} aria-hidden="true" />}
              {isPreviewOpen ? "Hide preview" : "Preview"}
            </Button>
          )}
          <Button variant="ghost" size="sm" onClick={() => setIsHistoryOpen(true)}>
            <History size={16} aria-hidden="true" />
            {adminDocument.reviewed_before > 0 ? `History (${adminDocument.reviewed_before})` : "History"}
          </Button>
        </div>
        {review.isError && (
          <Notice tone="danger">
            {reviewErrorText(review.error)}
            <span className={styles.why}>{review.error.message}</span>
          </Notice>
        )}
        {isRejecting ? (
          <Rejection
            pending={review.isPending}
            onCancel={() => setIsRejecting(false)}
            onReject={(reason) =>
              onSettled(review.mutateAsync({ status: "rejected", reason }), () => toast.success(`${name} rejected.`))
            }
          />
        ) : (
          <div className={styles.decision}>
            {adminDocument.file_url && (
              <Button
                loading={review.isPending}
                onClick={() =>
                  onSettled(review.mutateAsync({ status: "approved", reason: "" }), () =>
                    toast.success(`${name} approved.`),
                  )
                }
              >
                Approve
              </Button>
            )}
            <Button variant="danger" disabled={review.isPending} onClick={() => setIsRejecting(true)}>
              Reject
            </Button>
          </div>
        )}
      </div>
      {isPreviewOpen && <DocumentPreview adminDocument={adminDocument} />}
      {isHistoryOpen && (
        <DocumentHistory
          uid={adminDocument.uid}
          name={adminDocument.owner_name}
          onClose={() => setIsHistoryOpen(false)}
        />
      )}
    </Card>
  );
}

function Data({ adminDocument }: { adminDocument: AdminDocument }) {
  const facts: [string, string][] = [
    ["Provider", adminDocument.provider || "Not specified"],
    ["Number", adminDocument.number || "Not specified"],
    ["Issued", adminDocument.issued_on ? formatDate(adminDocument.issued_on) : "Not specified"],
    ["Expires", adminDocument.expires_on ? formatDate(adminDocument.expires_on) : "Not specified"],
    ["Uploaded", formatRelativeTime(adminDocument.created_at)],
    ["Guru", adminDocument.owner_name || "Not specified"],
    ["User ID", adminDocument.uid],
  ];
  if (adminDocument.file_name) facts.push(["File", adminDocument.file_name]);
  else if (adminDocument.file_url) facts.push(["Link", adminDocument.file_url]);
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
  const form = useForm({ defaultValues: { reason: "" } });
  const { setFocus } = form;
  useEffect(() => setFocus("reason"), [setFocus]);

  return (
    <form
      className={styles.rejection}
      onSubmit={(event) => void form.handleSubmit(({ reason }) => onReject(reason.trim()))(event)}
    >
      <Field
        label="Reason for rejection (optional):"
        hint="The guru will see it in an email and on their documents page."
      >
        <TextArea rows={3} maxLength={1000} {...form.register("reason")} />
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
