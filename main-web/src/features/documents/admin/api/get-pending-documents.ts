import { useInfiniteQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { ADMIN_KEY, logFailure } from "@/features/admin/contract";
import type { components } from "@porchlight/shared/api.gen";

export type AdminDocument = components["schemas"]["AdminDocument"];

/** Upload links are valid for five minutes: reload the queue before they expire. */
const REFRESH_MS = 4 * 60_000;

export const pendingDocumentsKey = [ADMIN_KEY, "documents", "pending"];

/** List the documents waiting for review, oldest first. Errors are only logged (SPEC 8.4). */
export function usePendingDocuments() {
  return useInfiniteQuery({
    queryKey: pendingDocumentsKey,
    queryFn: ({ pageParam, signal }) =>
      logFailure(
        "Pending documents",
        api.GET("/documents/pending", { params: { query: { cursor: pageParam } }, signal }),
      ),
    initialPageParam: "",
    getNextPageParam: (page) => page.nextCursor,
    select: ({ pages }) => pages.flatMap((page) => page.pending),
    refetchInterval: REFRESH_MS,
    retry: false,
  });
}
