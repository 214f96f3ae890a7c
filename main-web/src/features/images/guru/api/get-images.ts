import { infiniteQueryOptions, useInfiniteQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useConsoleUserId } from "@/lib/use-console-user-id";

export const imagesQuery = (userId: string) =>
  infiniteQueryOptions({
    queryKey: ["guru", userId, "images"],
    queryFn: ({ signal, pageParam }) => api.GET("/guru/images", { params: { query: { cursor: pageParam } }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    staleTime: 0,
  });

/** List the images that the guru uploaded, newest first, a page at a time. */
export function useImages() {
  return useInfiniteQuery(imagesQuery(useConsoleUserId()));
}
