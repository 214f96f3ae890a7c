import { useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { ADMIN_KEY } from "@/features/admin/contract";

export const WAIVER_STATE_KEY = [ADMIN_KEY, "waiver-state"];

/** Verify the stored waivers. The server needs up to two seconds, so the result is kept for five minutes. */
export function useWaiverState() {
  return useQuery({
    queryKey: WAIVER_STATE_KEY,
    queryFn: ({ signal }) => api.GET("/admin/waivers/state", { signal }),
    staleTime: 300_000,
  });
}
