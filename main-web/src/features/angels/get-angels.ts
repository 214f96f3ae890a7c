import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "../../kit/api";
import type { components } from "@porchlight/shared/api.gen";

export type AngelService = components["schemas"]["AngelServiceAnswer"];
export type AngelList = components["schemas"]["AngelsData"];

/** What the filters offer until the list is there (SPEC 2.9). */
export const FIRST_CITIES: readonly string[] = ["Denver", "Boulder"];
export const FIRST_CATEGORIES: readonly string[] = ["Home", "Moving", "Cleaning", "Outdoor", "Pets", "Errands"];

export const angelsQuery = queryOptions({
  queryKey: ["angels"],
  queryFn: ({ signal }) => api.get<AngelList>("/angels", { signal }),
});

export function useAngels() {
  return useQuery(angelsQuery);
}

export type AngelFilters = { search: string; city: string; category: string };

/** The services that all filters let through, counted for the chosen city; an empty filter lets everything through. */
export function filterServices(services: readonly AngelService[], filters: AngelFilters): readonly AngelService[] {
  const sought = filters.search.trim().toLowerCase();
  return services
    .filter(
      ({ title, description, city, category }) =>
        (!filters.category || category === filters.category) &&
        [title, description, city, category].join(" ").toLowerCase().includes(sought),
    )
    .flatMap((service) => (filters.city ? inCity(service, filters.city) : [service]));
}

/** A service as it is in one city, or nothing when nobody does it there. */
function inCity(service: AngelService, city: string): AngelService[] {
  const there = service.cities.find((counted) => counted.city === city);
  if (there) return [{ ...service, ...there }];
  return service.cities.length === 0 && service.city === city ? [service] : [];
}
