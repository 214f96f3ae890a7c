import { useMutation } from "@tanstack/react-query";
import { api } from "@/lib/api-client";

/** Get the link on which a customer's participant signs on the guru's device. */
export function useCreateDeviceLink(id: string) {
  return useMutation({
    mutationFn: (number: number) =>
      api.POST("/guru/bookings/{booking_id}/participants/{number}/device-link", {
        params: { path: { booking_id: id, number: String(number) } },
      }),
  });
}
