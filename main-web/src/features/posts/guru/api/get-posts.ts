import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useConsoleUserId } from "@/lib/use-console-user-id";
import type { PostStatus } from "../lib/types";

/** The key of all lists of posts, with any filter. */
export const postsKey = (userId: string) => ["guru", userId, "posts"];

export const postsQuery = (userId: string, status: PostStatus | "", search: string) =>
  infiniteQueryOptions({
    queryKey: [...postsKey(userId), status, search],
    queryFn: ({ signal, pageParam }) =>
      api.GET("/guru/posts", { params: { query: { standing: status, q: search, cursor: pageParam } }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

/** List the guru's posts, a page at a time. */
export function usePosts(status: PostStatus | "", search: string) {
  return useInfiniteQuery(postsQuery(useConsoleUserId(), status, search));
}
