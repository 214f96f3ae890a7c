import { useImpersonation } from "@/lib/impersonation";
import { useCurrentUserId } from "@/lib/use-current-user-id";

/**
 * Return the id of the user whose console this is, as a part of query keys; "" while signed out.
 * While staff impersonate a guru, the id names that guru, so that cached responses are never mixed.
 */
export function useConsoleUserId(): string {
  const userId = useCurrentUserId();
  const impersonation = useImpersonation();
  return impersonation ? `as ${impersonation.label}` : userId;
}
