import { useQuery } from "@tanstack/react-query";
import { api } from "../../kit/api";
import type { components } from "@porchlight/shared/api.gen";

export type Listing = components["schemas"]["SkillListingAnswer"];
export type ListingPhoto = components["schemas"]["ListingPhotoAnswer"];
export type PublicListing = components["schemas"]["PublicSkillListingAnswer"];

/** A listing that anybody may see. */
export function useListing(id: string, wanted: boolean) {
  return useQuery({
    queryKey: ["listings", id],
    queryFn: ({ signal }) => api.get<PublicListing>(`/skills/listings/${encodeURIComponent(id)}`, { signal }),
    enabled: wanted,
    retry: false,
  });
}
