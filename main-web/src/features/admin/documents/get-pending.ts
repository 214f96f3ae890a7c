import { useInfiniteQuery } from "@tanstack/react-query";
import { api } from "../../../kit/api";
import { ADMIN } from "../admin-keys";
import { logged } from "../logged";
import type { components } from "@porchlight/shared/api.gen";

export type StaffPaper = components["schemas"]["StaffPaper"];
type PendingPage = { pending: StaffPaper[]; nextCursor: string | null };

/** Links to uploads are good for five minutes: the queue is fetched anew before they end. */
const FRESH = 4 * 60_000;

export const PENDING = [ADMIN, "documents", "pending"];

/** Documents that wait for review, the oldest first. A failure is only logged (SPEC 8.4). */
export function usePending() {
  return useInfiniteQuery({
    queryKey: PENDING,
    queryFn: ({ pageParam, signal }) =>
      logged("Pending documents", api.get<PendingPage>("/documents/pending", { query: { cursor: pageParam }, signal })),
    initialPageParam: "",
    getNextPageParam: (page) => page.nextCursor,
    select: ({ pages }) => pages.flatMap((page) => page.pending),
    refetchInterval: FRESH,
    retry: false,
  });
}
