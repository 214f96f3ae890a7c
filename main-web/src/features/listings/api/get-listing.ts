import { useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import type { components } from "@porchlight/shared/api.gen";

export type Listing = components["schemas"]["SkillListingResponse"];
export type ListingPhoto = components["schemas"]["ListingPhotoResponse"];
export type PublicListing = components["schemas"]["PublicSkillListingResponse"];

/** Get a public listing. */
export function useListing(id: string, enabled: boolean) {
  return useQuery({
    queryKey: ["listings", id],
    queryFn: ({ signal }) => api.GET("/skills/listings/{listing_id}", { params: { path: { listing_id: id } }, signal }),
    enabled,
    retry: false,
  });
}
