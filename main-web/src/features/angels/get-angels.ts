import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "../../kit/api";

export type AngelService = {
  id: string;
  title: string;
  description: string;
  /** Dollars an hour. */
  avgPrice: number;
  providers: number;
  /** Out of five. */
  rating: number;
  city: string;
  category: string;
};

export type AngelList = { services: AngelService[]; cities: string[]; categories: string[] };

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

/** The services that all filters let through; an empty filter lets everything through. */
export function filterServices(services: readonly AngelService[], filters: AngelFilters): readonly AngelService[] {
  const sought = filters.search.trim().toLowerCase();
  return services.filter(
    ({ title, description, city, category }) =>
      (!filters.city || city === filters.city) &&
      (!filters.category || category === filters.category) &&
      [title, description, city, category].join(" ").toLowerCase().includes(sought),
  );
}
