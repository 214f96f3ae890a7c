import { api } from "@/lib/api-client";
import { fetchWithProgress } from "@/lib/fetch-with-progress";
import { UPLOAD_TIMEOUT_MS } from "@/lib/image-files";
import { preparePhoto } from "@/lib/prepare-photo";
import { useMySkillsMutation } from "../lib/use-my-skills-mutation";

/** Add a photo to a listing; `onProgress` is called with the part sent so far, 0 to 1. */
export function useUploadListingPhoto() {
  return useMySkillsMutation(
    async ({ id, photo, onProgress }: { id: string; photo: File; onProgress: (part: number) => void }) =>
      api.POST("/skills/offers/{offer_id}/photos", {
        params: { path: { offer_id: id } },
        body: await preparePhoto(photo),
        timeout: UPLOAD_TIMEOUT_MS,
        fetch: fetchWithProgress(onProgress),
      }),
  );
}
