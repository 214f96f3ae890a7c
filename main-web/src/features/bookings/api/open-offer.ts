import { api } from "@/lib/api-client";
import { useWaitlistMutation } from "../lib/use-waitlist-mutation";

/** Get the token by which the user books the spot that was offered to them. */
export function useOpenOffer(id: string) {
  return useWaitlistMutation(() => api.POST("/waitlist/{session_id}/hold", { params: { path: { session_id: id } } }));
}
