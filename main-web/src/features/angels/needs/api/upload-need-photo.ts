import { api } from "@/lib/api-client";
import { fetchWithProgress } from "@/lib/fetch-with-progress";
import { UPLOAD_TIMEOUT_MS } from "@/lib/image-files";
import { preparePhoto } from "@/lib/prepare-photo";
import { useNeedMutation } from "../lib/use-need-mutation";

/** Add a photo to a need; `onProgress` is called with the part sent so far, 0 to 1. */
export function useUploadNeedPhoto() {
  return useNeedMutation(
    async ({ id, photo, onProgress }: { id: string; photo: File; onProgress: (part: number) => void }) =>
      api.POST("/needs/{need_id}/photos", {
        params: { path: { need_id: id } },
        body: await preparePhoto(photo),
        timeout: UPLOAD_TIMEOUT_MS,
        fetch: fetchWithProgress(onProgress),
      }),
  );
}
