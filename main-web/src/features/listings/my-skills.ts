import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "../../kit/api";
import type { components } from "@porchlight/shared/api.gen";

type OwnSkills = components["schemas"]["OwnSkillsData"];
export type ListingFields = Omit<components["schemas"]["SkillListingAnswer"], "id" | "title" | "currency">;

const KEY = ["skills", "mine"];

/** What one offers, with listings, and wants. */
export function useMySkills() {
  return useQuery({ queryKey: KEY, queryFn: ({ signal }) => api.get<OwnSkills>("/skills/mine", { signal }) });
}

function useChange<T>(call: (sent: T) => Promise<OwnSkills>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: call,
    onSuccess: (mine) => {
      client.setQueryData(KEY, mine);
      // Matches, openings and the profile speak of the same skills.
      void client.invalidateQueries({ queryKey: ["skills"], predicate: ({ queryKey }) => queryKey[1] !== "mine" });
      void client.invalidateQueries({ queryKey: ["profile"] });
    },
  });
}

/** One more skill to teach, with the usual terms. */
export const useOffer = () => useChange((title: string) => api.post("/skills/offers", { body: { title } }));
/** Everything of a listing anew. */
export const useDescribe = () =>
  useChange(({ id, fields }: { id: string; fields: ListingFields }) => api.put(`/skills/offers/${id}`, { body: fields }));
/** Offered no longer. */
export const useWithdraw = () => useChange((id: string) => api.delete(`/skills/offers/${id}`));
/** One more skill to learn. */
export const useWant = () => useChange((title: string) => api.post("/skills/wants", { body: { title } }));
/** Wanted no longer. */
export const useDropWant = () => useChange((id: string) => api.delete(`/skills/wants/${id}`));
/** Found around a point (kept as a coarse cell), or around one's town again. */
export const useArea = () =>
  useChange((point: { latitude: number; longitude: number } | null) =>
    point ? api.put("/skills/area", { body: point }) : api.delete("/skills/area"),
  );
