import { useSession } from "./session/session-context";

/** Return the id of the signed-in user, as a part of query keys; "" while signed out. */
export function useCurrentUserId(): string {
  const session = useSession();
  return session.status === "signed-in" ? session.user.uid : "";
}
