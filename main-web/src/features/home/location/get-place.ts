import { api } from "../../../kit/api";

/** What reverse geocoding says of a point (SPEC 7.2); any part may be empty. */
export type Place = { city?: string; locality?: string; principalSubdivision?: string };

/** Names the place at a point, in degrees. Asked for on an event, so it is a call rather than a query. */
export function getPlace(latitude: number, longitude: number, signal: AbortSignal): Promise<Place> {
  return api.get<Place>("/geocode/reverse", { query: { latitude, longitude }, signal });
}

/** "Denver, Colorado"; the locality where there is no city; null when nothing is known. */
export function placeLabel(place: Place): string | null {
  const town = (place.city || place.locality || "").trim();
  const region = (place.principalSubdivision ?? "").trim();
  return [town, region === town ? "" : region].filter(Boolean).join(", ") || null;
}
