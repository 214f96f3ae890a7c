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

/** Degrees as exact as a map needs them, so that small moves of it ask for nothing new. */
const rounded = (degrees: number) => Number(degrees.toFixed(4));

/** Get the porch lights that are on, the newest first. An empty list of names asks for nothing. */
export function usePorchLights({ handles, sites, box }: Filter = {}) {
  const query = {
    east: box && rounded(box.east),
    handle: [...new Set(handles)].slice(0, MAX_NAMES),
    north: box && rounded(box.north),
    site: [...new Set(sites)].slice(0, MAX_NAMES),
    south: box && rounded(box.south),
    west: box && rounded(box.west),
  };
  const isNarrowed = query.handle.length > 0 || query.site.length > 0 || Boolean(box);
  return useQuery({
    queryKey: ["porch-lights", query],
    queryFn: async ({ signal }) => (await api.GET("/porch-lights", { params: { query }, signal })).lights,
    enabled: isNarrowed || (handles ?? sites ?? box) === undefined,
    staleTime: REFRESH_MS / 4,
    // Lights go out by themselves.
    refetchInterval: ({ state }) => (state.data?.length ? REFRESH_MS : false),
  });
}
