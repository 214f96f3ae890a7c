import { CalendarPlus } from "lucide-react";
import { useState, type SubmitEvent } from "react";
import { Link } from "react-router-dom";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Dialog } from "@/components/ui/dialog";
import { Field, Input } from "@/components/ui/field";
import { Hint } from "@/components/ui/hint";
import { Notice } from "@/components/ui/notice";
import { LoadingBlock } from "@/components/ui/skeleton";
import { ErrorState } from "@/components/ui/state";
import { paths } from "@/config/paths";
import { errorMessage } from "@/lib/errors";
import { toast } from "@/lib/toast-store";
import { useCreateFeed } from "../api/create-feed";
import { useFeeds, type CalendarFeed } from "../api/get-feeds";
import { useRevokeFeed } from "../api/revoke-feed";
import styles from "./subscribe-dialog.module.css";
import { formatDate, formatDateTime } from "@porchlight/shared/format/dates";

type SubscribeDialogProps = { kind: CalendarFeed["kind"]; onClose: () => void };

const DESCRIPTIONS = {
  personal: "Your calendar shows the sessions you book, and follows every change.",
  guru: "Your calendar shows the sessions of your site. Neighbors are named by first name and initial.",
};

/** Links with which calendar programs show the user's sessions: create, copy, open, and revoke. */
export function SubscribeDialog({ kind, onClose }: SubscribeDialogProps) {
  const feeds = useFeeds();
  const own = feeds.data?.feeds.filter((feed) => feed.kind === kind) ?? [];
  const isFull = feeds.data !== undefined && feeds.data.feeds.length >= feeds.data.maxFeeds;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Subscribe in your calendar"
      description={DESCRIPTIONS[kind]}
      footer={
        <Button variant="ghost" onClick={onClose}>
          Close
        </Button>
      }
    >
      <div className={styles.content}>
        {feeds.isPending && <LoadingBlock height="6rem" />}
        {feeds.isError && !feeds.data && (
          <ErrorState
            title="We couldn't load your calendar links"
            message={feeds.error.message}
            onRetry={() => void feeds.refetch()}
            retrying={feeds.isFetching}
          />
        )}
        {feeds.data && !feeds.data.isIncluded && (
          <Notice>
            Calendar integration is part of Skill Sharer. <Link to={paths.pricing}>See the plans</Link>
          </Notice>
        )}
        {feeds.data?.isIncluded && <NewFeed kind={kind} isFull={isFull} maxFeeds={feeds.data.maxFeeds} />}
        {own.length > 0 && <FeedList feeds={own} />}
        <Hint>
          If you also accept the invitations in our emails, a session is there twice: once in each calendar. Hide one of
          them.
        </Hint>
      </div>
    </Dialog>
  );
}

function NewFeed({ kind, isFull, maxFeeds }: { kind: CalendarFeed["kind"]; isFull: boolean; maxFeeds: number }) {
  const create = useCreateFeed();
  const [name, setName] = useState("");
  const [problem, setProblem] = useState<string>();
  const [idempotencyKey, setIdempotencyKey] = useState(() => crypto.randomUUID());
  const url = create.data?.url;

  async function submit(event: SubmitEvent) {
    event.preventDefault();
    if (!name.trim()) {
      setProblem("Enter where you'll use it, such as My phone.");
      return;
    }
    try {
      await create.mutateAsync({ kind, name: name.trim(), idempotencyKey });
      setName("");
      setIdempotencyKey(crypto.randomUUID());
    } catch {
      // The error is shown above the field.
    }
  }

  return (
    <>
      {url !== undefined && <NewAddress url={url} />}
      {isFull ? (
        <Hint>You have {maxFeeds} calendar links. Revoke one to create another.</Hint>
      ) : (
        <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
          {create.error && <Notice tone="danger">{create.error.message}</Notice>}
          <Field label="Where you'll use it" hint="Such as My phone, so that you can revoke it later." error={problem}>
            <Input
              name="name"
              maxLength={60}
              value={name}
              onChange={(event) => {
                setName(event.target.value);
                setProblem(undefined);
              }}
            />
          </Field>
          <Button type="submit" variant={url === undefined ? "primary" : "secondary"} loading={create.isPending}>
            Create a link
          </Button>
        </form>
      )}
    </>
  );
}

/** The address of a new link, which is shown this once. */
function NewAddress({ url }: { url: string }) {
  return (
    <Notice tone="success">
      <p>Your link is ready. Copy it now: we can't show it again. Anyone who has it sees these sessions.</p>
      <code className={styles.url}>{url}</code>
      <div className={styles.buttons}>
        <CopyButton text={url} what="the link" />
        <Button asChild size="sm" variant="secondary">
          <a href={url.replace(/^https?:/, "webcal:")}>
            <CalendarPlus size={15} aria-hidden="true" />
            Open in my calendar
          </a>
        </Button>
      </div>
    </Notice>
  );
}

function FeedList({ feeds }: { feeds: CalendarFeed[] }) {
  const revoke = useRevokeFeed();

  async function revokeFeed({ id, name }: CalendarFeed) {
    try {
      await revoke.mutateAsync(id);
      toast.success(`Revoked. ‘${name}’ shows nothing any more.`);
    } catch (reason) {
      toast.error(errorMessage(reason));
    }
  }

  return (
    <ul className={styles.list} aria-label="Your calendar links">
      {feeds.map((feed) => (
        <li key={feed.id} className={styles.item}>
          <div>
            <p className={styles.name}>{feed.name}</p>
            <Hint>
              Created {formatDate(feed.createdAt)}.{" "}
              {feed.readAt === null ? "Not read yet." : `Last read ${formatDateTime(feed.readAt)}.`}
            </Hint>
          </div>
          <Button
            size="sm"
            variant="ghost"
            aria-label={`Revoke ${feed.name}`}
            loading={revoke.isPending && revoke.variables === feed.id}
            onClick={() => void revokeFeed(feed)}
          >
            Revoke
          </Button>
        </li>
      ))}
    </ul>
  );
}
