import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import { updateRead } from "../api/update-read";
import { applyCard } from "./apply-changes";
import { refreshMessages } from "./live";
import { messageKeys } from "./query-keys";
import type { ThreadCard } from "./types";

function watchVisibility(notify: () => void) {
  document.addEventListener("visibilitychange", notify);
  return () => document.removeEventListener("visibilitychange", notify);
}

/** Mark a thread as read up to a number while the reader sees it. A failure costs nothing: the next message repeats it. */
export function useRead(thread: ThreadCard | undefined, number: number) {
  const queries = useQueryClient();
  const userId = useCurrentUserId();
  const isVisible = useSyncExternalStore(watchVisibility, () => document.visibilityState === "visible");
  const id = thread?.id;
  const isUnread = thread !== undefined && thread.unread > 0;
  useEffect(() => {
    if (!isVisible || !isUnread || id === undefined || number === 0) return;
    const markRead = async () => {
      await updateRead(id, number);
      const card = queries.getQueryData<ThreadCard>(messageKeys.thread(userId, id));
      if (card) applyCard(queries, userId, { ...card, unread: 0 });
      refreshMessages();
    };
    markRead().catch(() => undefined);
  }, [isVisible, isUnread, id, number, queries, userId]);
}
