import { useMutation, useQueryClient } from "@tanstack/react-query";
import { overviewQuery } from "@/features/console/contract";
import { api } from "@/lib/api-client";
import { useConsoleUserId } from "@/lib/use-console-user-id";
import { galleryQuery } from "./get-gallery";
import type { components } from "@porchlight/shared/api.gen";

type GalleryPayload = components["schemas"]["GalleryPayload"];

/** Replace all pictures of the site. The server answers 409 when they changed elsewhere since `revision`. */
export function useReplaceGallery() {
  const userId = useConsoleUserId();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (gallery: GalleryPayload) => api.PUT("/guru/gallery", { body: gallery }),
    onSuccess: (saved) => {
      queries.setQueryData(galleryQuery(userId).queryKey, saved);
      void queries.invalidateQueries({ queryKey: overviewQuery(userId).queryKey });
    },
  });
}
