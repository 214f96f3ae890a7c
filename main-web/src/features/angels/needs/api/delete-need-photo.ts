import { api } from "@/lib/api-client";
import { useNeedMutation } from "../lib/use-need-mutation";

/** Remove a photo from a need; `photo` is the URL at which it is shown. */
export function useDeleteNeedPhoto() {
  return useNeedMutation(({ id, photo }: { id: string; photo: string }) =>
    api.DELETE("/needs/{need_id}/photos/{photo_id}", {
      params: { path: { need_id: id, photo_id: photo.slice(photo.lastIndexOf("/") + 1).replace(".webp", "") } },
    }),
  );
}
