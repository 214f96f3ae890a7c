import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import { feedsQuery, type CalendarFeed } from "./get-feeds";

/** Create a calendar link. The answer has its address, this once. */
export function useCreateFeed() {
  const userId = useCurrentUserId();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ idempotencyKey, ...body }: Pick<CalendarFeed, "kind" | "name"> & { idempotencyKey: string }) =>
      api.POST("/calendar-feeds", { body, headers: { "Idempotency-Key": idempotencyKey } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: feedsQuery(userId).queryKey }),
  });
}
