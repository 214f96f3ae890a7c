import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useConsoleUserId } from "@/lib/use-console-user-id";

const REPLY_POLL_MS = 3_000;

export const leadQuery = (userId: string, id: string) =>
  queryOptions({
    queryKey: ["guru", userId, "lead", id],
    queryFn: ({ signal }) => api.GET("/guru/leads/{lead_id}", { params: { path: { lead_id: id } }, signal }),
    staleTime: 0,
    // A reply is emailed within a second or two: poll until it is sent.
    refetchInterval: (query) => (query.state.data?.answers.some((reply) => !reply.sentAt) ? REPLY_POLL_MS : false),
  });

/** Get one lead with its replies and notes. */
export function useLead(id: string) {
  return useQuery(leadQuery(useConsoleUserId(), id));
}
