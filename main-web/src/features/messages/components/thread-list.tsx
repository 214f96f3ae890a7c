import { Archive, Ban, Ellipsis, Inbox, UserPlus, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { Link, useLocation } from "react-router-dom";
import { paths } from "@/config/paths";
import { Button } from "@/components/ui/button";
import { Menu, MenuItem } from "@/components/ui/menu";
import { Skeleton } from "@/components/ui/skeleton";
import { EmptyState, ErrorState } from "@/components/ui/state";
import { useThreads } from "../api/get-threads";
import type { Box, Side } from "../lib/types";
import styles from "./thread-list.module.css";
import { ThreadRow } from "./thread-row";

const BOXES: readonly { box: Box; label: string }[] = [
  { box: "inbox", label: "Inbox" },
  { box: "requests", label: "Requests" },
  { box: "archived", label: "Archived" },
];

type ThreadListProps = { side: Side; openId: string; note?: ReactNode; onShowBlocks: () => void };

/** The conversations of a box, the newest first. The box is in the address. */
export function ThreadList({ side, openId, note, onShowBlocks }: ThreadListProps) {
  const { pathname, search } = useLocation();
  const params = new URLSearchParams(search);
  const box = BOXES.find((one) => one.box === params.get("box"))?.box ?? "inbox";
  // The open conversation has the page's heading.
  const Title = openId === "" ? "h1" : "h2";

  function addressOf(other: Box) {
    const next = new URLSearchParams(params);
    if (other === "inbox") next.delete("box");
    else next.set("box", other);
    return { pathname, search: next.toString() };
  }

  return (
    <>
      <header className={styles.head}>
        <div className={styles.titleRow}>
          <Title className={styles.title}>Messages</Title>
          <Menu
            label="Message settings"
            trigger={
              <Button variant="ghost" size="sm" className={styles.more} aria-label="Message settings">
                <Ellipsis size={20} aria-hidden="true" />
              </Button>
            }
          >
            <MenuItem icon={Ban} onSelect={onShowBlocks}>
              Blocked people
            </MenuItem>
          </Menu>
        </div>
        {note}
        <nav aria-label="Boxes" className={styles.boxes}>
          {BOXES.map((one) => (
            <Link
              key={one.box}
              to={addressOf(one.box)}
              replace
              className={styles.box}
              aria-current={one.box === box ? "true" : undefined}
            >
              {one.label}
            </Link>
          ))}
        </nav>
      </header>
      <Threads key={box} side={side} box={box} openId={openId} />
    </>
  );
}

function Threads({ side, box, openId }: { side: Side; box: Box; openId: string }) {
  const list = useThreads(side, box);
  const threads = list.data?.pages.flatMap((page) => page.threads) ?? [];
  if (list.isPending) return <Loading />;
  if (list.isLoadingError)
    return (
      <div className={styles.scroll}>
        <ErrorState
          title="We couldn't load your messages"
          message={list.error.message}
          onRetry={() => void list.refetch()}
          retrying={list.isFetching}
        />
      </div>
    );
  if (threads.length === 0 && !list.hasNextPage)
    return (
      <div className={styles.scroll}>
        <Empty side={side} box={box} />
      </div>
    );
  return (
    <div className={styles.scroll}>
      <ul className={styles.threads}>
        {threads.map((thread) => (
          <ThreadRow key={thread.id} thread={thread} isOpen={thread.id === openId} />
        ))}
      </ul>
      {list.isFetchNextPageError && (
        <p role="alert" className={styles.problem}>
          {list.error.message}
        </p>
      )}
      {list.hasNextPage && (
        <Button
          variant="ghost"
          size="sm"
          block
          loading={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        >
          Show older conversations
        </Button>
      )}
    </div>
  );
}

function Loading() {
  return (
    <div className={styles.scroll} aria-busy="true">
      {[1, 2, 3, 4].map((row) => (
        <div key={row} className={styles.loadingRow}>
          <Skeleton width="2.75rem" height="2.75rem" radius="full" />
          <div>
            <Skeleton width="55%" />
            <Skeleton width="85%" />
          </div>
        </div>
      ))}
    </div>
  );
}

type Words = { icon: LucideIcon; title: string; text: string };

const EMPTY: Record<Box, Words> = {
  inbox: {
    icon: Inbox,
    title: "No messages yet",
    text: "Write to a neighbor from their profile, a match, or a session you've booked.",
  },
  requests: {
    icon: UserPlus,
    title: "No requests",
    text: "First messages from people you haven't met wait here until you accept them.",
  },
  archived: {
    icon: Archive,
    title: "Nothing archived",
    text: "Archive a conversation to clear your inbox. It comes back when someone writes.",
  },
};

const EMPTY_AT_GURU = "Neighbors write to you from your site and their sessions. You can write first from a booking.";

function Empty({ side, box }: { side: Side; box: Box }) {
  const { icon, title, text } = EMPTY[box];
  const isGuru = side === "guru";
  return (
    <EmptyState
      icon={icon}
      title={title}
      action={
        box === "inbox" && (
          <Button asChild variant="secondary" size="sm">
            {isGuru ? (
              <Link to={paths.guruCalendar}>Open your calendar</Link>
            ) : (
              <Link to={`${paths.skills}?tab=ai-coach`}>See your matches</Link>
            )}
          </Button>
        )
      }
    >
      {isGuru && box === "inbox" ? EMPTY_AT_GURU : text}
    </EmptyState>
  );
}
