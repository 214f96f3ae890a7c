import { api } from "@/lib/api-client";
import type { NeedData } from "../lib/types";
import { useNeedMutation } from "../lib/use-need-mutation";

/** Remove a photo from a need; `photo` is the URL at which it is shown. */
export function useDeleteNeedPhoto() {
  return useNeedMutation(({ id, photo }: { id: string; photo: string }) =>
    api.delete<NeedData>(`/needs/${id}/photos/${photo.slice(photo.lastIndexOf("/") + 1).replace(".webp", "")}`),
  );
}
