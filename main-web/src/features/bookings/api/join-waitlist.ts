import { api } from "@/lib/api-client";
import type { WaitlistSession } from "../lib/types";
import { useWaitlistMutation } from "../lib/use-waitlist-mutation";
import { EMAIL_UNVERIFIED } from "@porchlight/shared/client";

/** Join the waitlist of a session, with a number of people. Joining again keeps the place. */
export function useJoinWaitlist({ guruLabel, serviceId, startsAt }: WaitlistSession) {
  return useWaitlistMutation((party: number) =>
    api.POST("/waitlist", { handled: [EMAIL_UNVERIFIED], body: { guru: guruLabel, serviceId, startsAt, party } }),
  );
}
