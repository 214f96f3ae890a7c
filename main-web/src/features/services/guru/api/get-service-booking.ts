import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useConsoleUserId } from "@/lib/use-console-user-id";

export const serviceBookingQuery = (userId: string, serviceId: string) =>
  queryOptions({
    queryKey: ["guru", userId, "service-booking", serviceId],
    queryFn: ({ signal }) =>
      api.GET("/guru/services/{service_id}/booking", { params: { path: { service_id: serviceId } }, signal }),
    staleTime: 0,
  });

/** Get how a service is booked. */
export function useServiceBooking(serviceId: string) {
  return useQuery(serviceBookingQuery(useConsoleUserId(), serviceId));
}

/** Tell whether people pay a service by card when they book it; not for null, for a new one. */
export function useIsPaidByCard(serviceId: string | null) {
  const booking = useQuery({
    ...serviceBookingQuery(useConsoleUserId(), serviceId ?? ""),
    enabled: serviceId !== null,
  });
  return booking.data !== undefined && booking.data.payment !== "in_person";
}

/** Get the questions of a service, which neighbors answer when they book; none without an id. */
export function useServiceQuestions(serviceId: string) {
  const booking = useQuery({ ...serviceBookingQuery(useConsoleUserId(), serviceId), enabled: serviceId !== "" });
  return booking.data?.questions ?? [];
}
