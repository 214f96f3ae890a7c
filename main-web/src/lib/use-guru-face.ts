import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";

const FRESH_MS = 5 * 60_000;

const siteGuruQuery = (label: string) =>
  queryOptions({
    queryKey: ["site-guru", label],
    queryFn: async ({ signal }) =>
      (await api.GET("/gurus/{subdomain}/home", { params: { path: { subdomain: label } }, signal })).guru,
    staleTime: FRESH_MS,
  });

/** Get a guru as visitors see them, by the label of their site. */
export const useSiteGuru = (label: string) => useQuery(siteGuruQuery(label));

/** Get the photo of a guru by the label of their site; "" while it is not known, or without one. */
export function useGuruFace(label: string): string {
  return useSiteGuru(label).data?.photoUrl ?? "";
}
