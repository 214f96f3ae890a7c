import { useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import type { components } from "@porchlight/shared/api.gen";

export type PorchLight = components["schemas"]["PorchLightResponse"];

type Filter = {
  /** Only these neighbors, by handle. */
  handles?: readonly string[];
  /** Only these gurus, by the label of their site. */
  sites?: readonly string[];
  /** Only on this part of a map, in degrees. */
  box?: { south: number; west: number; north: number; east: number } | null;
};

/** The API takes at most this many names. */
const MAX_NAMES = 60;
const REFRESH_MS = 60_000;

/** Get the porch lights that are on, the newest first. An empty list of names asks for nothing. */
export function usePorchLights({ handles, sites, box }: Filter = {}) {
  const params = new URLSearchParams();
  for (const handle of [...new Set(handles)].slice(0, MAX_NAMES)) params.append("handle", handle);
  for (const site of [...new Set(sites)].slice(0, MAX_NAMES)) params.append("site", site);
  for (const [edge, degrees] of Object.entries(box ?? {})) params.append(edge, degrees.toFixed(4));
  params.sort();
  const query = params.toString();
  return useQuery({
    queryKey: ["porch-lights", query],
    queryFn: async ({ signal }) =>
      (await api.get<{ lights: PorchLight[] }>(`/porch-lights${query && `?${query}`}`, { signal })).lights,
    enabled: query !== "" || (handles ?? sites ?? box) === undefined,
    staleTime: REFRESH_MS / 4,
    // Lights go out by themselves.
    refetchInterval: ({ state }) => (state.data?.length ? REFRESH_MS : false),
  });
}
