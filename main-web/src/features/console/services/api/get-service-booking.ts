import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import type { ServiceBooking } from "../../lib/types";
import { useConsoleUserId } from "../../lib/use-console-user-id";

export const bookingUrl = (serviceId: string) => `/guru/services/${encodeURIComponent(serviceId)}/booking`;

export const serviceBookingQuery = (userId: string, serviceId: string) =>
  queryOptions({
    queryKey: ["guru", userId, "service-booking", serviceId],
    queryFn: ({ signal }) => api.get<ServiceBooking>(bookingUrl(serviceId), { signal }),
    staleTime: 0,
  });

/** Get how a service is booked. */
export function useServiceBooking(serviceId: string) {
  return useQuery(serviceBookingQuery(useConsoleUserId(), serviceId));
}
