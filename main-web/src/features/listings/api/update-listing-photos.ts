import { api } from "@/lib/api-client";
import type { MySkills } from "../lib/types";
import { useMySkillsMutation } from "../lib/use-my-skills-mutation";

/** Set the order and the alternative texts of all photos of a listing. */
export function useUpdateListingPhotos() {
  return useMySkillsMutation(({ id, photos }: { id: string; photos: { id: string; alt: string }[] }) =>
    api.put<MySkills>(`/skills/offers/${id}/photos`, { body: { photos } }),
  );
}
