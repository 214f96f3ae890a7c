import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { devicesQuery, type Device } from "./get-devices";

/** Sign out on one device. A session that is already gone counts as success. */
export function useDeleteDevice(uid: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (device: Device) =>
      api.DELETE("/auth/sessions/{session_id}", { params: { path: { session_id: device.id } } }),
    onSettled: () => queries.invalidateQueries({ queryKey: devicesQuery(uid).queryKey }),
  });
}
