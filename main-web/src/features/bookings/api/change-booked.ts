import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import type { Booking } from "../lib/own-booking";
import { bookedKey, bookedUrl } from "./get-booked";

type Change =
  | { change: "cancellation"; body: { termsDigest: string; reason: string } }
  | { change: "move"; body: { termsDigest: string; startsAt: string } };

/** Cancel or move the session of a link, on the terms that its bearer saw. */
export function useChangeBooked(link: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ change, body }: Change) => api.post<Booking>(`${bookedUrl(link)}/${change}`, { body }),
    onSettled: () => queries.invalidateQueries({ queryKey: bookedKey(link) }),
  });
}
