import { usePorchLights } from "@/features/porch-lights/contract";
import type { SearchHit } from "./types";

/** Return which hits are of a neighbor or guru whose porch light is on. */
export function useLitHits(hits: readonly SearchHit[]): (hit: SearchHit) => boolean {
  const lights = usePorchLights({
    handles: hits.map(({ handle }) => handle).filter(Boolean),
    sites: hits.filter(({ kind }) => kind === "guru").map(({ label }) => label),
  });
  return (hit) =>
    lights.data?.some(({ handle, site }) =>
      hit.kind === "guru" ? site?.label === hit.label : hit.handle !== "" && handle === hit.handle,
    ) ?? false;
}
