import { api } from "@/lib/api-client";
import { useMySkillsMutation } from "../lib/use-my-skills-mutation";

/** Remove a photo from a listing. */
export function useDeleteListingPhoto() {
  return useMySkillsMutation(({ id, photo }: { id: string; photo: string }) =>
    api.DELETE("/skills/offers/{offer_id}/photos/{photo_id}", { params: { path: { offer_id: id, photo_id: photo } } }),
  );
}
