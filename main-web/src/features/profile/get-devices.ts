import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "../../kit/api";
import type { components } from "@porchlight/shared/api.gen";

export type Device = components["schemas"]["OpenSession"];

/** Where the person is signed in, kept per account. */
const devicesQuery = (uid: string) =>
  queryOptions({
    queryKey: ["devices", uid],
    queryFn: ({ signal }) => api.get<components["schemas"]["OpenSessions"]>("/auth/sessions", { signal }),
    staleTime: 0,
  });

export function useDevices(uid: string) {
  return useQuery(devicesQuery(uid));
}

/** Signs the account out on one device. One that is gone already is as good. */
export function useEndDevice(uid: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (device: Device) => api.delete<unknown>(`/auth/sessions/${device.id}`),
    onSettled: () => queries.invalidateQueries({ queryKey: devicesQuery(uid).queryKey }),
  });
}
