import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import type { components } from "@porchlight/shared/api.gen";

export type Device = components["schemas"]["OpenSession"];

/** The devices on which the user is signed in. */
export const devicesQuery = (uid: string) =>
  queryOptions({
    queryKey: ["devices", uid],
    queryFn: ({ signal }) => api.GET("/auth/sessions", { signal }),
    staleTime: 0,
  });

export function useDevices(uid: string) {
  return useQuery(devicesQuery(uid));
}
