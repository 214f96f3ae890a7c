import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import type { components } from "@porchlight/shared/api.gen";

type Schemas = components["schemas"];
export type HomeGuru = Schemas["FrontGuru"];
export type HomeNeeds = Schemas["FrontNeeds"];
export type HomePost = Schemas["FrontPost"];
export type HomeContent = Schemas["FrontPageData"];

export const homeQuery = queryOptions({
  queryKey: ["home"],
  queryFn: ({ signal }) => api.GET("/home", { signal }),
  staleTime: 5 * 60_000,
});

/** Get the active gurus and their newest posts. */
export function useHome() {
  return useQuery(homeQuery);
}
