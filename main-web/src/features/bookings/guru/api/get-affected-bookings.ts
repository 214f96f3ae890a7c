import { keepPreviousData, queryOptions, skipToken, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useConsoleUserId } from "@/lib/use-console-user-id";

/** The rules that are about to be saved. Those that stay are left out. */
export type ChangedRules = {
  serviceId?: string;
  minutes?: number;
  partyMax?: number;
  capacity?: number;
  stepMinutes?: number;
  zone?: string;
};

const affectedBookingsQuery = (userId: string, rules: ChangedRules | null) =>
  queryOptions({
    queryKey: ["guru", userId, "bookings", "affected", rules],
    queryFn:
      rules === null
        ? skipToken
        : ({ signal }) => api.GET("/guru/bookings/affected", { params: { query: rules }, signal }),
    staleTime: 0,
    placeholderData: keepPreviousData,
  });

/** List the booked sessions that changed rules affect; nothing for null. */
export function useAffectedBookings(rules: ChangedRules | null) {
  return useQuery(affectedBookingsQuery(useConsoleUserId(), rules));
}
