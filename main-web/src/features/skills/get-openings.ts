import { useQuery } from "@tanstack/react-query";
import { api } from "../../kit/api";

/** A skill that could be offered, and how many neighbors would become a match by it. */
export type Opening = { skill: string; people: number };

/** What if I offered one more skill; asked for only for somebody signed in. */
export function useOpenings(userId: string | null) {
  return useQuery({
    queryKey: ["skills", "openings", userId],
    queryFn: ({ signal }) => api.get<{ skills: Opening[] }>("/skills/openings", { signal }),
    enabled: userId !== null,
  });
}
