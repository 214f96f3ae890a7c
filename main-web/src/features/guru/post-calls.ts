import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "../../kit/api";
import type { DeskPost, DeskPosts, Standing, Words } from "./types";
import { useUid } from "./use-uid";

type Revised = { revision: number; savedAt: string };
type Save = { id: string; words: Words; revision: number; status: "draft" | "published"; publishedAt: string | null };

const at = (id: string) => `/guru/posts/${encodeURIComponent(id)}`;

/** One's own posts, a page at a time. */
export function usePosts(standing: Standing | "", search: string) {
  const uid = useUid();
  return useInfiniteQuery({
    queryKey: ["guru", uid, "posts", standing, search],
    queryFn: ({ signal, pageParam }) =>
      api.get<DeskPosts>("/guru/posts", { query: { standing, q: search, cursor: pageParam }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}

/** A post for its editor, always as it is now. */
export function usePost(id: string) {
  const uid = useUid();
  return useQuery({
    queryKey: ["guru", uid, "post", id],
    queryFn: ({ signal }) => api.get<DeskPost>(at(id), { signal }),
    staleTime: 0,
    gcTime: 0,
  });
}

function useChange<Sent, Answer>(change: (sent: Sent) => Promise<Answer>) {
  const uid = useUid();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ["guru", uid, "posts"] });
      void queries.invalidateQueries({ queryKey: ["guru", uid, "overview"] });
    },
  });
}

export const useStartPost = () =>
  useChange((words: Words) => api.post<DeskPost>("/guru/posts", { body: words }));

export const useSavePost = () =>
  useChange(({ id, words, ...rest }: Save) => api.put<DeskPost>(at(id), { body: { ...words, ...rest } }));

export const useUnpublishPost = () => useChange((id: string) => api.delete<DeskPost>(`${at(id)}/publication`));

export const useDeletePost = () => useChange((id: string) => api.delete<unknown>(at(id)));

/** Keeps what is in the editor on the server, where readers see nothing of it. */
export function autosave(id: string, words: Words, revision: number): Promise<Revised> {
  return api.put<Revised>(`${at(id)}/working-copy`, { body: { ...words, revision } });
}

export function discardChanges(id: string, revision: number): Promise<Revised> {
  return api.delete<Revised>(`${at(id)}/working-copy`, { query: { revision } });
}

export function getPost(id: string): Promise<DeskPost> {
  return api.get<DeskPost>(at(id));
}
