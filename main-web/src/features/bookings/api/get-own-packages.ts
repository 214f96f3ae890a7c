import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import { ownBookingsKey } from "./get-own-bookings";

const ownPackagesQuery = (userId: string) =>
  queryOptions({
    queryKey: [...ownBookingsKey(userId), "packages"],
    queryFn: ({ signal }) => api.GET("/packages", { signal }),
    staleTime: 0,
  });

/** List the packages that gurus gave to the signed-in user or that they bought. Disabled while signed out. */
export function useOwnPackages() {
  const userId = useCurrentUserId();
  return useQuery({ ...ownPackagesQuery(userId), enabled: userId !== "" });
}
