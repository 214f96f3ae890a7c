import { Archive, ArchiveRestore, ArrowLeft, Mail, NotebookPen, Phone, Send, Trash2 } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Link, useParams } from "react-router-dom";
import { paths } from "../../app/paths";
import { newKey } from "../../kit/new-key";
import { Badge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { Field, TextArea } from "../../ui/field";
import { Notice } from "../../ui/notice";
import { Page } from "../../ui/page";
import { Skeleton } from "../../ui/skeleton";
import { ErrorState } from "../../ui/state";
import { toast } from "../../ui/toast-store";
import styles from "./console.module.css";
import { useAnswerLead, useDeleteNote, useLead, useNoteLead, useSortLead } from "./lead-calls";
import own from "./lead.module.css";
import type { DeskLead } from "./types";
import { LEAD_STATUSES, LEAD_TONES, moment, why } from "./words";
import { ApiError } from "@porchlight/shared/client";

/** One person who wrote, and what came of it. */
export function LeadPage() {
  const { id = "" } = useParams();
  const lead = useLead(id);
  const gone = lead.error instanceof ApiError && lead.error.status === 404;
  return (
    <Page title={lead.data?.name ?? "Lead"} description="A message from your site.">
      <Link to={paths.guruLeads} className={own.back}>
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
          <h1 className={styles.title}>{gone ? "No such lead" : "Lead"}</h1>
          <ErrorState
            title={gone ? "This lead does not exist" : "This lead is out of reach"}
            message={gone ? "It may belong to an older link." : lead.error.message}
            {...(!gone && { onRetry: () => void lead.refetch(), retrying: lead.isFetching })}
          />
        </>
      )}
      {lead.data && <Lead key={lead.data.id} lead={lead.data} />}
    </Page>
  );
}

function Lead({ lead }: { lead: DeskLead }) {
  const sort = useSortLead(lead.id);
  const { mutate } = sort;
  const looked = useRef(false);

  useEffect(() => {
    if (lead.status !== "new" || looked.current) return;
    looked.current = true;
    mutate("read");
  }, [lead.status, mutate]);

  async function put(status: DeskLead["status"], done: string) {
    try {
      await sort.mutateAsync(status);
      toast.success(done);
    } catch (reason) {
      toast.error(why(reason));
    }
  }

  return (
    <>
      <header className={styles.head}>
        <div className={styles.words}>
          <h1 className={styles.title}>{lead.name}</h1>
          <p className={styles.facts}>
            <Badge tone={LEAD_TONES[lead.status]}>{LEAD_STATUSES[lead.status]}</Badge>
            <span>{moment(lead.createdAt)}</span>
            {lead.service && <span>About {lead.service}</span>}
          </p>
        </div>
        <div className={styles.buttons}>
          {lead.status === "archived" ? (
            <Button variant="secondary" loading={sort.isPending} onClick={() => void put(lead.answers.length ? "answered" : "read", "Back in the inbox.")}>
              <ArchiveRestore size={16} aria-hidden="true" />
              Back to the inbox
            </Button>
          ) : (
            <>
              {lead.status !== "new" && (
                <Button variant="ghost" disabled={sort.isPending} onClick={() => void put("new", "Marked as new.")}>
                  Mark as new
                </Button>
              )}
              <Button variant="secondary" loading={sort.isPending} onClick={() => void put("archived", "Archived.")}>
                <Archive size={16} aria-hidden="true" />
                Archive
              </Button>
            </>
          )}
        </div>
      </header>
      <div className={own.sides}>
        <div className={styles.section}>
          <Card as="section" aria-labelledby="lead-message" className={styles.form}>
            <h2 id="lead-message" className={styles.small}>
              Message
            </h2>
            <p className={own.body}>{lead.message}</p>
            <p className={own.contact}>
              <span>
                <Mail size={16} aria-hidden="true" />
                <a href={`mailto:${encodeURIComponent(lead.email)}`}>{lead.email}</a>
              </span>
              {lead.phone && (
                <span>
                  <Phone size={16} aria-hidden="true" />
                  <a href={`tel:${lead.phone.replace(/[^0-9+]/g, "")}`}>{lead.phone}</a>
                </span>
              )}
            </p>
          </Card>
          {lead.answers.map((mail) => (
            <Card as="article" key={mail.id} className={own.answer}>
              <p className={styles.facts}>
                <Send size={15} aria-hidden="true" />
                <span>Your answer</span>
                <span>{mail.sentAt ? `sent ${moment(mail.sentAt)}` : "on its way…"}</span>
              </p>
              <p className={own.body}>{mail.body}</p>
            </Card>
          ))}
          <AnswerForm lead={lead} />
        </div>
        <Notes lead={lead} />
      </div>
    </>
  );
}

function AnswerForm({ lead }: { lead: DeskLead }) {
  const draft = `porchlight.answer.${lead.id}`;
  const answer = useAnswerLead(lead.id);
  const [body, setBody] = useState(() => sessionStorage.getItem(draft) ?? "");
  const [fault, setFault] = useState("");
  // The same for every try at the same words: a mail whose answer was lost is not sent twice.
  const attempt = useRef({ words: "", key: "" });

  function type(text: string) {
    setBody(text);
    setFault("");
    sessionStorage.setItem(draft, text);
  }

  async function send() {
    const words = body.trim();
    if (!words) {
      setFault("Please write an answer first.");
      return;
    }
    if (attempt.current.words !== words) attempt.current = { words, key: newKey() };
    try {
      await answer.mutateAsync({ body: words, attempt: attempt.current.key });
      attempt.current = { words: "", key: "" };
      sessionStorage.removeItem(draft);
      setBody("");
      toast.success(`Your answer to ${lead.name} is on its way.`);
    } catch {
      // Said below; the words stay.
    }
  }

  return (
    <Card as="section" aria-labelledby="lead-answer" className={styles.form}>
      <h2 id="lead-answer" className={styles.heading}>
        {lead.answers.length ? "Write again" : "Answer"}
      </h2>
      <Field label={`Your mail to ${lead.name}`} hint="It carries their message below yours; their reply comes to your contact email." error={fault}>
        <TextArea rows={6} maxLength={10_000} value={body} onChange={(event) => type(event.target.value)} />
      </Field>
      {answer.isError && <Notice tone="danger">{why(answer.error)}</Notice>}
      <div className={styles.buttons}>
        <Button loading={answer.isPending} onClick={() => void send()}>
          {!answer.isPending && <Send size={16} aria-hidden="true" />}
          Send answer
        </Button>
      </div>
    </Card>
  );
}

function Notes({ lead }: { lead: DeskLead }) {
  const write = useNoteLead(lead.id);
  const remove = useDeleteNote(lead.id);
  const [body, setBody] = useState("");

  async function keep() {
    if (!body.trim()) return;
    try {
      await write.mutateAsync(body.trim());
      setBody("");
    } catch (reason) {
      toast.error(why(reason));
    }
  }

  async function erase(note: string) {
    try {
      await remove.mutateAsync(note);
    } catch (reason) {
      toast.error(why(reason));
    }
  }

  return (
    <Card as="section" aria-labelledby="lead-notes" className={styles.form}>
      <h2 id="lead-notes" className={own.notes}>
        <NotebookPen size={18} aria-hidden="true" />
        Private notes
      </h2>
      {lead.notes.length === 0 && <p className={styles.hint}>Only you see these.</p>}
      {lead.notes.length > 0 && (
        <ul className={own.list}>
          {lead.notes.map((note) => (
            <li key={note.id} className={own.note}>
              <div className={styles.words}>
                <p className={own.body}>{note.body}</p>
                <p className={styles.hint}>{moment(note.createdAt)}</p>
              </div>
              <Button size="sm" variant="ghost" disabled={remove.isPending} aria-label={`Delete the note of ${moment(note.createdAt)}`} onClick={() => void erase(note.id)}>
                <Trash2 size={15} aria-hidden="true" />
              </Button>
            </li>
          ))}
        </ul>
      )}
      <Field label="Add a note">
        <TextArea rows={3} maxLength={4_000} value={body} onChange={(event) => setBody(event.target.value)} />
      </Field>
      <div>
        <Button size="sm" variant="secondary" loading={write.isPending} onClick={() => void keep()}>
          Keep note
        </Button>
      </div>
    </Card>
  );
}
