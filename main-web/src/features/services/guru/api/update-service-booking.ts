import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useConsoleUserId } from "@/lib/use-console-user-id";
import type { ServiceBookingPayload } from "../lib/types";
import { serviceBookingQuery } from "./get-service-booking";
import { servicesQuery } from "./get-services";

/** Change how a service is booked. The server answers 409 when it changed since `revision`. */
export function useUpdateServiceBooking(serviceId: string) {
  const userId = useConsoleUserId();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: ServiceBookingPayload) =>
      api.PUT("/guru/services/{service_id}/booking", { params: { path: { service_id: serviceId } }, body }),
    onSuccess: (booking) => {
      queries.setQueryData(serviceBookingQuery(userId, serviceId).queryKey, booking);
      void queries.invalidateQueries({ queryKey: servicesQuery(userId).queryKey });
    },
  });
}
