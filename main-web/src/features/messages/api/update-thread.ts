import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import { applyCard } from "../lib/apply-changes";
import type { ThreadCard } from "../lib/types";

export type ThreadChange = "mute" | "unmute" | "archive" | "unarchive" | "accept" | "block" | "unblock";

function send(change: ThreadChange, { id, muted, archived }: ThreadCard): Promise<ThreadCard> {
  const params = { path: { thread_id: id } };
  const settings = (body: { muted: boolean; archived: boolean }) =>
    api.PUT("/messages/threads/{thread_id}/settings", { params, body });
  switch (change) {
    case "mute":
      return settings({ muted: true, archived });
    case "unmute":
      return settings({ muted: false, archived });
    case "archive":
      return settings({ muted, archived: true });
    case "unarchive":
      return settings({ muted, archived: false });
    case "accept":
      return api.PUT("/messages/threads/{thread_id}/acceptance", { params });
    case "block":
      return api.PUT("/messages/threads/{thread_id}/block", { params });
    case "unblock":
      return api.DELETE("/messages/threads/{thread_id}/block", { params });
  }
}

/** Mute, archive, accept or block a thread, and undo it. */
export function useUpdateThread(thread: ThreadCard) {
  const queries = useQueryClient();
  const userId = useCurrentUserId();
  return useMutation({
    mutationFn: (change: ThreadChange) => send(change, thread),
    onSuccess: (card) => applyCard(queries, userId, card),
  });
}
