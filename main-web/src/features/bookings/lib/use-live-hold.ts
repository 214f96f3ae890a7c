import { useEffect } from "react";
import { rememberHeldBooking } from "@/lib/held-booking";
import { useHold } from "../api/get-hold";

/** Get a hold and when it ends by this browser's clock, null once it has ended. Other tabs can lead back to it. */
export function useLiveHold(token: string) {
  const hold = useHold(token);
  const isHeld = hold.data !== undefined && hold.data.expiresAt !== null;
  const deadline = isHeld ? hold.dataUpdatedAt + hold.data.secondsLeft * 1000 : null;
  useEffect(() => {
    if (deadline !== null) rememberHeldBooking(token, deadline);
  }, [token, deadline]);
  return { hold, deadline };
}
