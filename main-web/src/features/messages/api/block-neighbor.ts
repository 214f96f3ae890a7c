import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/api-client";

/** Block a neighbor from their profile. Neither finds the other any more, so all that is loaded is asked for again. */
export function useBlockNeighbor() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (handle: string) => api.PUT("/users/{handle}/block", { params: { path: { handle } } }),
    onSuccess: () => queries.invalidateQueries({ refetchType: "none" }),
  });
}
