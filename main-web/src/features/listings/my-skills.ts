import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "../../kit/api";
import { PATIENCE } from "../../kit/pictures";
import { uploading } from "../../kit/uploading";
import type { components } from "@porchlight/shared/api.gen";

type OwnSkills = components["schemas"]["OwnSkillsData"];
export type ListingFields = Required<components["schemas"]["SkillListingPayload"]>;
type PhotoWords = { id: string; alt: string };

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
      void client.invalidateQueries({ queryKey: ["listings"] });
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
/** One more photo on a listing; `report` hears how much has been sent, 0 to 1. */
export const useAddPhoto = () =>
  useChange(({ id, photo, report }: { id: string; photo: File; report: (part: number) => void }) =>
    api.post(`/skills/offers/${id}/photos`, { body: photo, timeout: PATIENCE, carry: uploading(report) }),
  );
/** All photos of a listing in their order, with what is to be seen on them. */
export const useArrangePhotos = () =>
  useChange(({ id, photos }: { id: string; photos: PhotoWords[] }) => api.put(`/skills/offers/${id}/photos`, { body: { photos } }));
/** A photo off a listing. */
export const useRemovePhoto = () =>
  useChange(({ id, photo }: { id: string; photo: string }) => api.delete(`/skills/offers/${id}/photos/${photo}`));
/** One more skill to learn. */
export const useWant = () => useChange((title: string) => api.post("/skills/wants", { body: { title } }));
/** Wanted no longer. */
export const useDropWant = () => useChange((id: string) => api.delete(`/skills/wants/${id}`));
/** Found around a point (kept as a coarse cell), or around one's town again. */
export const useArea = () =>
  useChange((point: { latitude: number; longitude: number } | null) =>
    point ? api.put("/skills/area", { body: point }) : api.delete("/skills/area"),
  );
