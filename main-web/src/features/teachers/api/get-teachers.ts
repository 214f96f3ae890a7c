import { useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import type { components } from "@porchlight/shared/api.gen";

export type GuruTeacher = components["schemas"]["GuruTeacher"];
/** A guru who can be booked. */
export type BookableGuru = GuruTeacher & { service: components["schemas"]["TeacherService"] };
export type NeighborTeacher = components["schemas"]["NeighborTeacher"];

/** A category or skill, or one guru and maybe one of their services, or the handles of angels. */
export type TeacherSearch = { category: string } | { guru: string; service: string } | { angels: string[] };

/** Tell whether a guru can be booked online; others take messages. */
export const isBookable = (guru: GuruTeacher): guru is BookableGuru => guru.service !== null;

/** Find gurus with their next free times; for a category, neighbors who teach it too. */
export function useTeachers(search: TeacherSearch, enabled = true) {
  const userId = useCurrentUserId();
  const query = "angels" in search ? { angel: search.angels } : search;
  return useQuery({
    queryKey: ["teachers", userId, query],
    queryFn: ({ signal }) => api.GET("/teachers", { params: { query }, signal }),
    enabled,
    staleTime: 0,
  });
}
