import { api } from "@/lib/api-client";

type CheckIn = { bookingId: string; at: string; device: string; pass: string; waiverDueSeen: boolean };

/** Tell the server that the people of a booking came. It may be sent again. */
export function sendCheckIn({ bookingId, at, device, pass, waiverDueSeen }: CheckIn) {
  return api.PUT("/guru/check-ins/{booking_id}", {
    params: { path: { booking_id: bookingId } },
    body: { at, device, pass, waiverDueSeen },
  });
}

/** Take a check-in back. It may be sent again. */
export function sendUndo({ bookingId, at }: Pick<CheckIn, "bookingId" | "at">) {
  return api.DELETE("/guru/check-ins/{booking_id}", {
    params: { path: { booking_id: bookingId }, query: { at } },
  });
}
