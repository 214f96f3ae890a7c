import {
  infiniteQueryOptions,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useConsoleUserId } from "@/lib/use-console-user-id";
import type { DisputeWords } from "../lib/types";

const disputesKey = (userId: string) => ["guru", userId, "disputes"];

const disputesQuery = (userId: string) =>
  infiniteQueryOptions({
    queryKey: [...disputesKey(userId), "list"],
    queryFn: ({ signal, pageParam }) => api.GET("/guru/disputes", { params: { query: { cursor: pageParam } }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    staleTime: 0,
  });

const disputeQuery = (userId: string, id: string) =>
  queryOptions({
    queryKey: [...disputesKey(userId), "one", id],
    queryFn: ({ signal }) => api.GET("/guru/disputes/{dispute_id}", { params: { path: { dispute_id: id } }, signal }),
    staleTime: 0,
  });

/** List the disputes of the guru's payments, the newest first, a page at a time. */
export const useDisputes = () => useInfiniteQuery(disputesQuery(useConsoleUserId()));

/** Get a dispute with what is sent to the bank. */
export const useDispute = (id: string) => useQuery(disputeQuery(useConsoleUserId(), id));

/** Keep the guru's words as a draft. */
export function useSaveDraft(id: string) {
  return useMutation({
    mutationFn: (body: DisputeWords) =>
      api.PUT("/guru/disputes/{dispute_id}/draft", { params: { path: { dispute_id: id } }, body }),
  });
}

/** Send the guru's words to the bank, which takes one answer. */
export function useSendAnswer(id: string) {
  const userId = useConsoleUserId();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: DisputeWords) =>
      api.POST("/guru/disputes/{dispute_id}/answer", { params: { path: { dispute_id: id } }, body }),
    onSettled: () => queries.invalidateQueries({ queryKey: disputesKey(userId) }),
  });
}
