import { useQuery } from "@tanstack/react-query";
import { api } from "../../kit/api";
import type { OverviewData } from "./types";
import { useUid } from "./use-uid";

/** How one's own site is doing. */
export function useOverview() {
  const uid = useUid();
  return useQuery({
    queryKey: ["guru", uid, "overview"],
    queryFn: ({ signal }) => api.get<OverviewData>("/guru/overview", { signal }),
    staleTime: 0,
  });
}
