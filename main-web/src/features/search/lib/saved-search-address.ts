import { paths } from "@/config/paths";
import type { SavedSearch, SearchQuery } from "./types";

/** Return the fields of the search page for a saved search; "" leaves one out. */
export function savedSearchFields({ q, filters }: Pick<SavedSearch, "q" | "filters">): Partial<SearchQuery> {
  return {
    q,
    kind: filters.kind ?? "",
    near: filters.near,
    withinMiles: filters.withinMiles ? String(filters.withinMiles) : "",
    maxPrice: typeof filters.maxPriceCents === "number" ? String(filters.maxPriceCents / 100) : "",
    format: filters.format ?? "",
    language: filters.language,
    day: filters.day ?? "",
  };
}

/** Return the address of the search page that runs a saved search. */
export function savedSearchAddress(saved: Pick<SavedSearch, "q" | "filters">): string {
  const fields = Object.entries(savedSearchFields(saved)).filter(([, value]) => value);
  return `${paths.search}?${new URLSearchParams(fields).toString()}`;
}
