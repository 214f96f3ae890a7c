import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import type { components } from "@porchlight/shared/api.gen";

export type AngelService = components["schemas"]["AngelServiceResponse"];
export type AngelList = components["schemas"]["AngelsData"];

/** The filter options while the list is loading (SPEC 2.9). */
export const FIRST_CITIES: readonly string[] = ["Denver", "Boulder"];
export const FIRST_CATEGORIES: readonly string[] = ["Home", "Moving", "Cleaning", "Outdoor", "Pets", "Errands"];

export const angelsQuery = queryOptions({
  queryKey: ["angels"],
  queryFn: ({ signal }) => api.GET("/angels", { signal }),
});

export function useAngels() {
  return useQuery(angelsQuery);
}

export type AngelFilters = { search: string; city: string; category: string };

/**
 * Return the services that match all filters, with the counts of the chosen city; an empty filter matches everything.
 */
export function filterServices(services: readonly AngelService[], filters: AngelFilters): readonly AngelService[] {
  const searchText = filters.search.trim().toLowerCase();
  return services
    .filter(
      ({ title, description, city, category }) =>
        (!filters.category || category === filters.category) &&
        [title, description, city, category].join(" ").toLowerCase().includes(searchText),
    )
    .flatMap((service) => (filters.city ? inCity(service, filters.city) : [service]));
}

/** Return a service with the counts of one city, or nothing if it is not offered there. */
function inCity(service: AngelService, city: string): AngelService[] {
  const inThisCity = service.cities.find((counted) => counted.city === city);
  if (inThisCity) return [{ ...service, ...inThisCity }];
  return service.cities.length === 0 && service.city === city ? [service] : [];
}
