import { useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import type { Hold } from "../lib/types";

/** Get a hold, with the waiver that the user needs. */
export function useHold(token: string) {
  const userId = useCurrentUserId();
  return useQuery({
    queryKey: ["bookings", "hold", token, userId],
    queryFn: ({ signal }) => api.get<Hold>(`/holds/${encodeURIComponent(token)}`, { signal }),
    refetchOnWindowFocus: true,
  });
}
