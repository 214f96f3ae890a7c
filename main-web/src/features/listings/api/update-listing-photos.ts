import { api } from "@/lib/api-client";
import { useMySkillsMutation } from "../lib/use-my-skills-mutation";

/** Set the order and the alternative texts of all photos of a listing. */
export function useUpdateListingPhotos() {
  return useMySkillsMutation(({ id, photos }: { id: string; photos: { id: string; alt: string }[] }) =>
    api.PUT("/skills/offers/{offer_id}/photos", { params: { path: { offer_id: id } }, body: { photos } }),
  );
}
