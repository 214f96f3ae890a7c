import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { browserZone } from "@porchlight/shared/format/dates";

const KEY = ["porch-light"];
const REFRESH_MS = 60_000;

/** Get whether the user's light is on. */
export function useOwnPorchLight() {
  return useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => api.GET("/porch-light", { signal }),
    // It goes out by itself.
    refetchInterval: ({ state }) => (state.data?.until ? REFRESH_MS : false),
  });
}

/** Turn the user's light on or off. */
export function useSetPorchLight() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (on: boolean) =>
      on ? api.PUT("/porch-light", { body: { zone: browserZone() } }) : api.DELETE("/porch-light"),
    onSuccess: (light) => {
      queryClient.setQueryData(KEY, light);
      void queryClient.invalidateQueries({ queryKey: ["porch-lights"] });
    },
  });
}
