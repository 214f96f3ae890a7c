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
import { PageHead } from "@/components/layout/page-head";
import { Skeleton } from "@/components/ui/skeleton";
import { ErrorState } from "@/components/ui/state";
import { toast } from "@/lib/toast-store";
import { ButtonRow, Stack } from "@/components/ui/stack";
import { PageTitle } from "@/components/ui/page-header";
import { RowFacts, RowText } from "@/components/ui/data-list";
import { SectionCard } from "@/components/ui/section-card";
import { Hint } from "@/components/ui/hint";
import { errorMessage } from "@/lib/errors";
import { useReplyToLead } from "../api/reply-to-lead";
import { useDeleteLeadNote } from "../api/delete-lead-note";
import { useLead } from "../api/get-lead";
import { useCreateLeadNote } from "../api/create-lead-note";
import { useUpdateLeadStatus } from "../api/update-lead-status";
import styles from "./lead.module.css";
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
    <PageHead title={lead.data?.name ?? "Lead"} description="A message from your site.">
      <Link to={paths.guruLeads} className={styles.back}>
        <ArrowLeft size={16} aria-hidden="true" />
        Leads
      </Link>
      {lead.isPending && (
        <Stack aria-busy="true">
          <Skeleton width="40%" height="2.5rem" radius="md" />
          <Skeleton height="12rem" radius="md" />
        </Stack>
      )}
      {lead.isError && !lead.data && (
        <>
          <PageTitle>{isMissing ? "Lead not found" : "Lead"}</PageTitle>
          <ErrorState
            title={isMissing ? "We couldn't find this lead" : "We couldn't load this lead"}
            message={isMissing ? "The link may be out of date." : lead.error.message}
            {...(!isMissing && { onRetry: () => void lead.refetch(), retrying: lead.isFetching })}
          />
        </>
      )}
      {lead.data && <Lead key={lead.data.id} lead={lead.data} />}
    </PageHead>
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
        <RowText>
          <PageTitle>{lead.name}</PageTitle>
          <RowFacts>
            <Badge tone={LEAD_STATUS_TONES[lead.status]}>{LEAD_STATUS_LABELS[lead.status]}</Badge>
            <span>{formatDateTime(lead.createdAt)}</span>
            {lead.service && <span>About {lead.service}</span>}
          </RowFacts>
        </RowText>
        <ButtonRow>
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
        </ButtonRow>
      </header>
      <div className={styles.sides}>
        <Stack>
          <Card as="section" aria-labelledby="lead-message">
            <Stack>
              <h2 id="lead-message" className={styles.small}>
                Message
              </h2>
              <p className={styles.body}>{lead.message}</p>
              <p className={styles.contact}>
                <span>
                  <Mail size={16} aria-hidden="true" />
                  <a className="tap-link" href={mailtoUrl(lead.email)}>
                    {lead.email}
                  </a>
                </span>
                {leadDetailNames.map((name) => lead[name] && <LeadDetail key={name} name={name} value={lead[name]} />)}
              </p>
            </Stack>
          </Card>
          {lead.answers.map((mail) => (
            <Card as="article" key={mail.id} className={styles.answer}>
              <RowFacts>
                <Send size={15} aria-hidden="true" />
                <span>Your reply</span>
                <span>{sentText(mail.sentAt, lead.addressState === "blocked")}</span>
              </RowFacts>
              <p className={styles.body}>{mail.body}</p>
            </Card>
          ))}
          <ReplyForm lead={lead} />
        </Stack>
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
    <SectionCard id="lead-answer" title={lead.answers.length ? "Reply again" : "Reply"}>
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
      <ButtonRow>
        <Button disabled={isBlocked} loading={reply.isPending} onClick={() => void form.handleSubmit(send)()}>
          {!reply.isPending && <Send size={16} aria-hidden="true" />}
          Send reply
        </Button>
      </ButtonRow>
    </SectionCard>
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
    <Card as="section" aria-labelledby="lead-notes">
      <Stack>
        <h2 id="lead-notes" className={styles.notes}>
          <NotebookPen size={18} aria-hidden="true" />
          Private notes
        </h2>
        {lead.notes.length === 0 && <Hint>Only you can see these.</Hint>}
        {lead.notes.length > 0 && (
          <ul className={styles.list}>
            {lead.notes.map((note) => (
              <li key={note.id} className={styles.note}>
                <RowText>
                  <p className={styles.body}>{note.body}</p>
                  <Hint>{formatDateTime(note.createdAt)}</Hint>
                </RowText>
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
      </Stack>
    </Card>
  );
}
