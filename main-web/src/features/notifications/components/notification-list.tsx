import { BellOff, CheckCheck } from "lucide-react";
import { useEffect, useId, useRef } from "react";
import { Link } from "react-router-dom";
import { cx } from "@/lib/cx";
import { paths } from "@/config/paths";
import { safeHref } from "@/lib/safe-href";
import { Button } from "@/components/ui/button";
import { LoadingBlock } from "@/components/ui/skeleton";
import { Notice } from "@/components/ui/notice";
import { EmptyState, ErrorState } from "@/components/ui/state";
import { useNotificationCount } from "../api/get-notification-count";
import { useNotifications, type Notification } from "../api/get-notifications";
import { useReadNotification, useUpdateNotifications } from "../api/update-notifications";
import { groupByDay } from "../lib/days";
import { TopicIcon } from "../lib/topic-icon";
import styles from "./notification-list.module.css";
import { formatRelativeTime } from "@porchlight/shared/format/dates";

/** The notifications by day, with everything that can be done with them. Showing them marks them as seen. */
export function NotificationList({ onLeave }: { onLeave?: () => void }) {
  const list = useNotifications();
  const update = useUpdateNotifications();
  const unseen = useNotificationCount().data ?? 0;
  const wasShown = useRef(false);
  const hasLoaded = list.data !== undefined;
  const { refetch } = list;
  const { mutate } = update;
  useEffect(() => {
    if (!hasLoaded) return;
    const isLater = wasShown.current;
    wasShown.current = true;
    if (unseen === 0) return;
    if (isLater) void refetch();
    mutate("seen");
  }, [hasLoaded, unseen, refetch, mutate]);

  if (list.isPending) {
    return (
      <div aria-busy="true" className={styles.list}>
        <LoadingBlock height="14rem" />
      </div>
    );
  }
  if (!list.data) {
    return (
      <ErrorState
        title="We couldn't load your notifications"
        message={list.error.message}
        onRetry={() => void list.refetch()}
        retrying={list.isFetching}
      />
    );
  }
  const items = list.data.pages.flatMap((page) => page.items);
  if (items.length === 0) {
    return (
      <EmptyState
        icon={BellOff}
        title="Nothing yet"
        action={
          <Button asChild variant="secondary" size="sm">
            <Link to={paths.notificationSettings} {...(onLeave && { onClick: onLeave })}>
              Choose what reaches you
            </Link>
          </Button>
        }
      >
        When someone answers you, books you or needs you, you'll see it here.
      </EmptyState>
    );
  }
  const hasUnread = items.some(({ isRead }) => !isRead);
  return (
    <div className={styles.list}>
      <div className={styles.tools}>
        <Button
          variant="ghost"
          size="sm"
          disabled={!hasUnread}
          loading={update.isPending && update.variables === "read"}
          onClick={() => update.mutate("read")}
        >
          <CheckCheck size={16} aria-hidden="true" />
          Mark all as read
        </Button>
        <Link to={paths.notificationSettings} className="tap-link" {...(onLeave && { onClick: onLeave })}>
          Settings
        </Link>
      </div>
      {update.isError && update.variables === "read" && (
        <Notice tone="danger">We couldn't save this. {update.error.message}</Notice>
      )}
      {groupByDay(items).map((group) => (
        <Day key={group.title} title={group.title} items={group.items} {...(onLeave && { onLeave })} />
      ))}
      {list.hasNextPage && (
        <Button variant="secondary" block loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          Show older
        </Button>
      )}
      {list.isFetchNextPageError && <Notice tone="danger">We couldn't load more. {list.error.message}</Notice>}
    </div>
  );
}

function Day({ title, items, onLeave }: { title: string; items: Notification[]; onLeave?: () => void }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className={styles.day}>
        {title}
      </h2>
      <ul className={styles.items}>
        {items.map((item) => (
          <li key={item.id}>
            <Row item={item} {...(onLeave && { onLeave })} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Row({ item, onLeave }: { item: Notification; onLeave?: () => void }) {
  const read = useReadNotification();
  const open = () => {
    if (!item.isRead) read.mutate(item.id);
    onLeave?.();
  };
  const content = (
    <>
      <span className={styles.icon}>
        <TopicIcon kind={item.kind} />
      </span>
      <span className={styles.text}>
        <span className={styles.title}>{item.title}</span>{" "}
        <time dateTime={item.createdAt} className={styles.time}>
          {formatRelativeTime(item.createdAt)}
        </time>
      </span>{" "}
      {!item.isRead && (
        <span className={styles.dot}>
          <span className="visually-hidden">Unread</span>
        </span>
      )}
    </>
  );
  const className = cx(styles.row, !item.isRead && styles.unread);
  return item.url.startsWith("/") ? (
    <Link to={item.url} className={className} onClick={open}>
      {content}
    </Link>
  ) : (
    <a href={safeHref(item.url)} className={className} onClick={open}>
      {content}
    </a>
  );
}
