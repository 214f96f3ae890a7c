import { useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import { messageKeys } from "../lib/query-keys";
import type { Recipient } from "../lib/types";

/** Get who a first message would go to, what it is about, and the thread if both have written before. */
export function useRecipient(recipient: Recipient) {
  const userId = useCurrentUserId();
  return useQuery({
    queryKey: messageKeys.recipient(userId, recipient),
    queryFn: ({ signal }) => api.GET("/messages/recipients", { params: { query: recipient }, signal }),
  });
}
