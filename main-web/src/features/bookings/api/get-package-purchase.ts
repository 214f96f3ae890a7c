import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import type { PackagePurchase } from "../lib/package-texts";
import { ownBookingsKey } from "./get-own-bookings";

const purchaseQuery = (userId: string, id: string) =>
  queryOptions({
    queryKey: [...ownBookingsKey(userId), "package-purchases", id],
    queryFn: ({ signal }) =>
      api.GET("/packages/purchases/{payment_id}", { params: { path: { payment_id: id } }, signal }),
    staleTime: 0,
  });

/** Get a purchase of the signed-in user, again while `interval` returns a number of milliseconds. */
export function usePackagePurchase(id: string, interval: (purchase: PackagePurchase | undefined) => number | false) {
  const userId = useCurrentUserId();
  return useQuery({
    ...purchaseQuery(userId, id),
    enabled: userId !== "",
    refetchInterval: ({ state }) => interval(state.data),
  });
}
