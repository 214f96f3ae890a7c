import { useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useCurrentUserId } from "@/lib/use-current-user-id";

/** Get a hold, with the waiver that the user needs. */
export function useHold(token: string) {
  const userId = useCurrentUserId();
  return useQuery({
    queryKey: ["bookings", "hold", token, userId],
    queryFn: ({ signal }) => api.GET("/holds/{token}", { params: { path: { token } }, signal }),
    refetchOnWindowFocus: true,
  });
}
