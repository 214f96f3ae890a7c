import { api } from "@/lib/api-client";

/** The response of reverse geocoding (SPEC 7.2); any part may be empty. */
export type Place = { city?: string; locality?: string; principalSubdivision?: string };

/** Get the place at a position, in degrees. Called on events, so it is not a query. */
export function getPlace(latitude: number, longitude: number, signal: AbortSignal): Promise<Place> {
  return api.GET("/geocode/reverse", { params: { query: { latitude, longitude } }, signal });
}

/** Return "Denver, Colorado", with the locality if there is no city; null when nothing is known. */
export function placeLabel(place: Place): string | null {
  const town = (place.city || place.locality || "").trim();
  const region = (place.principalSubdivision ?? "").trim();
  return [town, region === town ? "" : region].filter(Boolean).join(", ") || null;
}
