import { Archive, ArchiveRestore, ArrowLeft, Mail, NotebookPen, Phone, Send, Trash2 } from "lucide-react";
import { useEffect, useRef, type ChangeEvent } from "react";
import { useForm } from "react-hook-form";
import { Link, useParams } from "react-router-dom";
import { paths } from "@/config/paths";
import { createIdempotencyKey } from "@/lib/create-idempotency-key";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Field, TextArea } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { Page } from "@/components/layout/page";
import { Skeleton } from "@/components/ui/skeleton";
import { ErrorState } from "@/components/ui/state";
import { toast } from "@/lib/toast-store";
import styles from "@/components/console.module.css";
import { errorMessage } from "@/lib/errors";
import { useReplyToLead } from "../api/reply-to-lead";
import { useDeleteLeadNote } from "../api/delete-lead-note";
import { useLead } from "../api/get-lead";
import { useCreateLeadNote } from "../api/create-lead-note";
import { useUpdateLeadStatus } from "../api/update-lead-status";
import ownStyles from "./lead.module.css";
import type { ConsoleLead } from "../lib/types";
import { LEAD_STATUS_LABELS, LEAD_STATUS_TONES } from "../lib/labels";
import { isAddressBlocked, replyErrorMessage } from "../lib/reply-errors";
import { ApiError } from "@porchlight/shared/client";
import { formatDateTime } from "@porchlight/shared/format/dates";
import { leadDetailNames, leadDetails, type LeadDetailName } from "@porchlight/shared/lead-details";
import { mailtoUrl } from "@porchlight/shared/email-address";

/** A lead with its replies and notes. */
export function LeadPage() {
  const { id = "" } = useParams();
  const lead = useLead(id);
  const isMissing = lead.error instanceof ApiError && lead.error.status === 404;
  return (
    <Page title={lead.data?.name ?? "Lead"} description="A message from your site.">
      <Link to={paths.guruLeads} className={ownStyles.back}>
        <ArrowLeft size={16} aria-hidden="true" />
        Leads
      </Link>
      {lead.isPending && (
        <div className={styles.section} aria-busy="true">
          <Skeleton width="40%" height="2.5rem" radius="md" />
          <Skeleton height="12rem" radius="md" />
        </div>
      )}
      {lead.isError && !lead.data && (
        <>
          <h1 className={styles.title}>{isMissing ? "Lead not found" : "Lead"}</h1>
          <ErrorState
            title={isMissing ? "We couldn't find this lead" : "We couldn't load this lead"}
            message={isMissing ? "The link may be out of date." : lead.error.message}
            {...(!isMissing && { onRetry: () => void lead.refetch(), retrying: lead.isFetching })}
          />
        </>
      )}
      {lead.data && <Lead key={lead.data.id} lead={lead.data} />}
    </Page>
  );
}

function Lead({ lead }: { lead: ConsoleLead }) {
  const sort = useUpdateLeadStatus(lead.id);
  const { mutate } = sort;
  const isMarkedRead = useRef(false);

  useEffect(() => {
    if (lead.status !== "new" || isMarkedRead.current) return;
    isMarkedRead.current = true;
    mutate("read");
  }, [lead.status, mutate]);

  async function updateStatus(status: ConsoleLead["status"], done: string) {
    try {
      await sort.mutateAsync(status);
      toast.success(done);
    } catch (reason) {
      toast.error(errorMessage(reason));
    }
  }

  return (
    <>
      <header className={styles.head}>
        <div className={styles.details}>
          <h1 className={styles.title}>{lead.name}</h1>
          <p className={styles.facts}>
            <Badge tone={LEAD_STATUS_TONES[lead.status]}>{LEAD_STATUS_LABELS[lead.status]}</Badge>
            <span>{formatDateTime(lead.createdAt)}</span>
            {lead.service && <span>About {lead.service}</span>}
          </p>
        </div>
        <div className={styles.buttons}>
          {lead.status === "archived" ? (
            <Button
              variant="secondary"
              loading={sort.isPending}
              onClick={() => void updateStatus(lead.answers.length ? "answered" : "read", "Moved to inbox.")}
            >
              <ArchiveRestore size={16} aria-hidden="true" />
              Move to inbox
            </Button>
          ) : (
            <>
              {lead.status !== "new" && (
                <Button
                  variant="ghost"
                  disabled={sort.isPending}
                  onClick={() => void updateStatus("new", "Marked as new.")}
                >
                  Mark as new
                </Button>
              )}
              <Button
                variant="secondary"
                loading={sort.isPending}
                onClick={() => void updateStatus("archived", "Archived.")}
              >
                <Archive size={16} aria-hidden="true" />
                Archive
              </Button>
            </>
          )}
        </div>
      </header>
      <div className={ownStyles.sides}>
        <div className={styles.section}>
          <Card as="section" aria-labelledby="lead-message" className={styles.form}>
            <h2 id="lead-message" className={styles.small}>
              Message
            </h2>
            <p className={ownStyles.body}>{lead.message}</p>
            <p className={ownStyles.contact}>
              <span>
                <Mail size={16} aria-hidden="true" />
                <a className="tap-link" href={mailtoUrl(lead.email)}>
                  {lead.email}
                </a>
              </span>
              {leadDetailNames.map((name) => lead[name] && <LeadDetail key={name} name={name} value={lead[name]} />)}
            </p>
          </Card>
          {lead.answers.map((mail) => (
            <Card as="article" key={mail.id} className={ownStyles.answer}>
              <p className={styles.facts}>
                <Send size={15} aria-hidden="true" />
                <span>Your reply</span>
                <span>{sentText(mail.sentAt, lead.addressState === "blocked")}</span>
              </p>
              <p className={ownStyles.body}>{mail.body}</p>
            </Card>
          ))}
          <ReplyForm lead={lead} />
        </div>
        <Notes lead={lead} />
      </div>
    </>
  );
}

function sentText(sentAt: string | null, isBlocked: boolean): string {
  if (sentAt) return `sent ${formatDateTime(sentAt)}`;
  return isBlocked ? "not sent" : "sending…";
}

function LeadDetail({ name, value }: { name: LeadDetailName; value: string }) {
  const { label, type } = leadDetails[name];
  if (type === "tel") {
    return (
      <span>
        <Phone size={16} aria-hidden="true" />
        <a href={`tel:${value.replace(/[^0-9+]/g, "")}`}>{value}</a>
      </span>
    );
  }
  return (
    <span>
      {label}: {value}
    </span>
  );
}

function ReplyForm({ lead }: { lead: ConsoleLead }) {
  const draftKey = `porchlight.answer.${lead.id}`;
  const reply = useReplyToLead(lead.id);
  const form = useForm({ defaultValues: { body: sessionStorage.getItem(draftKey) ?? "" } });
  const { errors } = form.formState;
  const isBlocked = lead.addressState === "blocked" || isAddressBlocked(reply.error);
  // One key per text: retrying after a lost response does not send the reply twice.
  const attempt = useRef({ text: "", key: "" });

  async function send(values: { body: string }) {
    const text = values.body.trim();
    if (attempt.current.text !== text) attempt.current = { text, key: createIdempotencyKey() };
    try {
      await reply.mutateAsync({ body: text, idempotencyKey: attempt.current.key });
      attempt.current = { text: "", key: "" };
      sessionStorage.removeItem(draftKey);
      form.reset({ body: "" });
      toast.success(`Your reply to ${lead.name} is on its way.`);
    } catch {
      // The error is shown below; the text stays.
    }
  }

  return (
    <Card as="section" aria-labelledby="lead-answer" className={styles.form}>
      <h2 id="lead-answer" className={styles.heading}>
        {lead.answers.length ? "Reply again" : "Reply"}
      </h2>
      <Field
        label={`Your reply to ${lead.name}`}
        hint="We'll include their message. Replies go to your contact email."
        error={errors.body?.message}
      >
        <TextArea
          rows={6}
          maxLength={10_000}
          {...form.register("body", {
            validate: (body) => body.trim() !== "" || "Please write a reply first.",
            onChange: (event: ChangeEvent<HTMLTextAreaElement>) => sessionStorage.setItem(draftKey, event.target.value),
          })}
        />
      </Field>
      {isBlocked ? (
        <Notice tone="danger">
          This person doesn't want email from your site, so we can't send them a reply.
          {reply.isError && " Your text stays here."}
        </Notice>
      ) : (
        reply.isError && <Notice tone="danger">{replyErrorMessage(reply.error)}</Notice>
      )}
      <div className={styles.buttons}>
        <Button disabled={isBlocked} loading={reply.isPending} onClick={() => void form.handleSubmit(send)()}>
          {!reply.isPending && <Send size={16} aria-hidden="true" />}
          Send reply
        </Button>
      </div>
    </Card>
  );
}

function Notes({ lead }: { lead: ConsoleLead }) {
  const write = useCreateLeadNote(lead.id);
  const remove = useDeleteLeadNote(lead.id);
  const form = useForm({ defaultValues: { body: "" } });

  async function addNote({ body }: { body: string }) {
    if (!body.trim()) return;
    try {
      await write.mutateAsync(body.trim());
      form.reset();
    } catch (reason) {
      toast.error(errorMessage(reason));
    }
  }

  async function deleteNote(note: string) {
    try {
      await remove.mutateAsync(note);
    } catch (reason) {
      toast.error(errorMessage(reason));
    }
  }

  return (
    <Card as="section" aria-labelledby="lead-notes" className={styles.form}>
      <h2 id="lead-notes" className={ownStyles.notes}>
        <NotebookPen size={18} aria-hidden="true" />
        Private notes
      </h2>
      {lead.notes.length === 0 && <p className={styles.hint}>Only you can see these.</p>}
      {lead.notes.length > 0 && (
        <ul className={ownStyles.list}>
          {lead.notes.map((note) => (
            <li key={note.id} className={ownStyles.note}>
              <div className={styles.details}>
                <p className={ownStyles.body}>{note.body}</p>
                <p className={styles.hint}>{formatDateTime(note.createdAt)}</p>
              </div>
              <Button
                size="sm"
                variant="ghost"
                disabled={remove.isPending}
                aria-label={`Delete note from ${formatDateTime(note.createdAt)}`}
                onClick={() => void deleteNote(note.id)}
              >
                <Trash2 size={15} aria-hidden="true" />
              </Button>
            </li>
          ))}
        </ul>
      )}
      <Field label="Add a note">
        <TextArea rows={3} maxLength={4_000} {...form.register("body")} />
      </Field>
      <div>
        <Button
          size="sm"
          variant="secondary"
          loading={write.isPending}
          onClick={() => void form.handleSubmit(addNote)()}
        >
          Save note
        </Button>
      </div>
    </Card>
  );
}
