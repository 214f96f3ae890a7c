import { api } from "@/lib/api-client";
import type { MySkills } from "../lib/types";
import { useMySkillsMutation } from "../lib/use-my-skills-mutation";

/** Remove a photo from a listing. */
export function useDeleteListingPhoto() {
  return useMySkillsMutation(({ id, photo }: { id: string; photo: string }) =>
    api.delete<MySkills>(`/skills/offers/${id}/photos/${photo}`),
  );
}
