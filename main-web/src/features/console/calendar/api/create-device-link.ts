import { useMutation } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { bookingUrl } from "./get-booking";
import type { components } from "@porchlight/shared/api.gen";

/** Get the link on which a customer's participant signs on the guru's device. */
export function useCreateDeviceLink(id: string) {
  return useMutation({
    mutationFn: (number: number) =>
      api.post<components["schemas"]["DeviceLinkData"]>(`${bookingUrl(id)}/participants/${number}/device-link`),
  });
}
