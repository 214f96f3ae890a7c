import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import type { ConsolePost } from "../../lib/types";
import { useConsoleUserId } from "../../lib/use-console-user-id";
import { postUrl } from "../lib/post-url";

export function getPost(id: string, signal?: AbortSignal): Promise<ConsolePost> {
  return api.get<ConsolePost>(postUrl(id), { ...(signal && { signal }) });
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
