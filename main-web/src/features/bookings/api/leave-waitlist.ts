import { api } from "@/lib/api-client";
import { useWaitlistMutation } from "../lib/use-waitlist-mutation";

/** Leave the waitlist of a session. A spot that was offered goes to the next person. */
export function useLeaveWaitlist(id: string) {
  return useWaitlistMutation(() => api.DELETE("/waitlist/{session_id}", { params: { path: { session_id: id } } }));
}
