import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useConsoleUserId } from "@/lib/use-console-user-id";
import type { ConsolePost } from "../lib/types";

export function getPost(id: string, signal?: AbortSignal): Promise<ConsolePost> {
  return api.GET("/guru/posts/{post_id}", { params: { path: { post_id: id } }, ...(signal && { signal }) });
}

export const postQuery = (userId: string, id: string) =>
  queryOptions({
    queryKey: ["guru", userId, "post", id],
    queryFn: ({ signal }) => getPost(id, signal),
    staleTime: 0,
    gcTime: 0,
  });

/** Get a post for its editor, never from the cache. */
export function usePost(id: string) {
  return useQuery(postQuery(useConsoleUserId(), id));
}
