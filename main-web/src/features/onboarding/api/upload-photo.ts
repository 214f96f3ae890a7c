import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { UPLOAD_TIMEOUT_MS } from "@/lib/image-files";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import { trackSave } from "@/lib/pending-saves";
import { statusQuery } from "./get-status";
import { wizardProfileQuery } from "./get-wizard-profile";

/** Upload the photo of the new site. It is saved in the draft at once. */
export function useUploadPhoto() {
  const queries = useQueryClient();
  const uid = useCurrentUserId();
  return useMutation({
    mutationFn: (photo: Blob) => trackSave(api.PUT("/onboarding/photo", { body: photo, timeout: UPLOAD_TIMEOUT_MS })),
    onSuccess: (saved) => {
      queries.setQueryData(wizardProfileQuery(uid).queryKey, saved);
      void queries.invalidateQueries({ queryKey: statusQuery(uid).queryKey });
    },
  });
}
