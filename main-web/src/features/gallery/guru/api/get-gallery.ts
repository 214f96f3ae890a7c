import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useConsoleUserId } from "@/lib/use-console-user-id";

export const galleryQuery = (userId: string) =>
  queryOptions({
    queryKey: ["guru", userId, "gallery"],
    queryFn: ({ signal }) => api.GET("/guru/gallery", { signal }),
    staleTime: 0,
    gcTime: 0,
  });

/** Get the pictures of the guru's site, never from the cache. */
export function useGallery() {
  return useQuery(galleryQuery(useConsoleUserId()));
}
