import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import type { ServiceBooking, ServiceBookingPayload } from "../../lib/types";
import { useConsoleUserId } from "../../lib/use-console-user-id";
import { bookingUrl, serviceBookingQuery } from "./get-service-booking";
import { servicesQuery } from "./get-services";

/** Change how a service is booked. The server answers 409 when it changed since `revision`. */
export function useUpdateServiceBooking(serviceId: string) {
  const userId = useConsoleUserId();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: ServiceBookingPayload) => api.put<ServiceBooking>(bookingUrl(serviceId), { body }),
    onSuccess: (booking) => {
      queries.setQueryData(serviceBookingQuery(userId, serviceId).queryKey, booking);
      void queries.invalidateQueries({ queryKey: servicesQuery(userId).queryKey });
    },
  });
}
