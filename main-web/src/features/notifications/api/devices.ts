import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { endPush } from "@/lib/end-push";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import { subscribe } from "../lib/push";
import type { components } from "@porchlight/shared/api.gen";

export type Device = components["schemas"]["PushDevice"];

export const devicesQuery = (userId: string) =>
  queryOptions({
    queryKey: ["push-devices", userId],
    queryFn: ({ signal }) => api.GET("/push-devices", { signal }),
  });

/** List the devices that show the user's notifications, with the key to add this one. */
export function useDevices() {
  return useQuery(devicesQuery(useCurrentUserId()));
}

/** Let this browser show the user's notifications. The browser asks for permission. */
export function useAddDevice() {
  const queries = useQueryClient();
  const userId = useCurrentUserId();
  return useMutation({
    mutationFn: async (publicKey: string) =>
      api.PUT("/push-devices", { body: { ...(await subscribe(publicKey)), replaces: "" } }),
    onSuccess: (devices) => queries.setQueryData(devicesQuery(userId).queryKey, devices),
  });
}

/** Stop showing notifications on a device; `isOwn`: on this one. */
export function useRemoveDevice() {
  const queries = useQueryClient();
  const userId = useCurrentUserId();
  return useMutation({
    mutationFn: async ({ id, isOwn }: { id: string; isOwn: boolean }) => {
      const devices = await api.DELETE("/push-devices/{device_id}", { params: { path: { device_id: id } } });
      if (isOwn) await endPush();
      return devices;
    },
    onSuccess: (devices) => queries.setQueryData(devicesQuery(userId).queryKey, devices),
  });
}

/** Send a test note to a device. */
export function useTestDevice() {
  return useMutation({
    mutationFn: (id: string) => api.PUT("/push-devices/{device_id}/test", { params: { path: { device_id: id } } }),
  });
}
