import { ArrowLeft } from "lucide-react";
import type { ReactNode } from "react";
import { Link, useLocation } from "react-router-dom";
import { ProfileLink } from "@/components/profile-link";
import { safeHref } from "@/lib/safe-href";
import { Avatar } from "@/components/ui/avatar";
import { Skeleton } from "@/components/ui/skeleton";
import { messagesPath } from "../lib/recipients";
import type { RecipientCard, Side, ThreadCard } from "../lib/types";
import styles from "./thread-head.module.css";
import { ThreadMenu } from "./thread-menu";

/** With whom a conversation is, the way back on a phone, and its menu. */
export function ThreadHead({ thread }: { thread: ThreadCard }) {
  return (
    <Head side={thread.side} menu={<ThreadMenu thread={thread} />}>
      <Avatar name={thread.other.name} src={thread.other.photoUrl} />
      <div className={styles.words}>
        <h1 className={styles.name}>
          <OtherLink {...thread} />
        </h1>
        <p className={styles.note}>{noteOf(thread)}</p>
      </div>
    </Head>
  );
}

/** The head of a conversation that has not begun. */
export function FirstHead({ card, side }: { card: RecipientCard; side: Side }) {
  return (
    <Head side={side}>
      <Avatar name={card.other.name} src={card.other.photoUrl} />
      <div className={styles.words}>
        <h1 className={styles.name}>
          <OtherLink {...card} side={side} />
        </h1>
        <p className={styles.note}>{card.about}</p>
      </div>
    </Head>
  );
}

export function ThreadHeadLoading({ side }: { side: Side }) {
  return (
    <Head side={side}>
      <Skeleton width="2.25rem" height="2.25rem" radius="full" />
      <div className={styles.words} aria-busy="true">
        <Skeleton width="9rem" />
      </div>
    </Head>
  );
}

function Head({ side, menu, children }: { side: Side; menu?: ReactNode; children: ReactNode }) {
  const { search } = useLocation();
  const box = new URLSearchParams(search).get("box");
  return (
    <header className={styles.head}>
      <Link
        to={{ pathname: messagesPath(side), search: box ? `?box=${box}` : "" }}
        className={styles.back}
        aria-label="All messages"
      >
        <ArrowLeft size={20} aria-hidden="true" />
      </Link>
      {children}
      {menu}
    </header>
  );
}

function OtherLink({ guru, other, side }: Pick<ThreadCard, "guru" | "other" | "side">) {
  const name = <bdi>{other.name}</bdi>;
  if (guru && side === "person")
    return (
      <a href={safeHref(guru.url)} className={styles.link}>
        {name}
      </a>
    );
  return other.handle ? (
    <ProfileLink handle={other.handle} className={styles.link ?? ""}>
      {name}
    </ProfileLink>
  ) : (
    name
  );
}

function noteOf({ guru, side, muted, archived }: ThreadCard): string {
  const who = guru === null ? "Neighbor" : side === "guru" ? "Writes to your site" : "Guru";
  return [who, muted && "muted", archived && "archived"].filter(Boolean).join(" · ");
}
