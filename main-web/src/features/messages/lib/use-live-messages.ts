import { skipToken, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useFlag } from "@/lib/feature-flags";
import type { MessagesState } from "./apply-changes";
import { keepMessagesLive } from "./live";
import { messageKeys } from "./query-keys";

/** Keep the person's messages up to date while mounted. Returns how many are unread. */
export function useLiveMessages(userId: string): number {
  const queries = useQueryClient();
  const isStreamed = useFlag("realTimeChat");
  useEffect(() => keepMessagesLive({ queries, userId, isStreamed }), [queries, userId, isStreamed]);
  const state = useQuery<MessagesState>({ queryKey: messageKeys.state(userId), queryFn: skipToken, gcTime: Infinity });
  return state.data?.unread ?? 0;
}
