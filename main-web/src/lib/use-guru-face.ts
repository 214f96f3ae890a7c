import { useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";

const FRESH_MS = 5 * 60_000;

/** Get the photo of a guru by the label of their site; "" while it is not known, or without one. */
export function useGuruFace(label: string): string {
  const guru = useQuery({
    queryKey: ["guru-face", label],
    queryFn: async ({ signal }) =>
      (await api.GET("/gurus/{subdomain}/home", { params: { path: { subdomain: label } }, signal })).guru.photoUrl,
    staleTime: FRESH_MS,
  });
  return guru.data ?? "";
}
