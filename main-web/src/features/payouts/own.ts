import { useSession } from "../../kit/session/session-context";
import type { components } from "@porchlight/shared/api.gen";

export type Connection = components["schemas"]["ConnectionStatus"];
export type Address = components["schemas"]["Address"];

/** The account that is signed in, as a part of query keys. */
export function useUid(): string {
  const session = useSession();
  return session.status === "signed-in" ? session.user.uid : "";
}

/** SPEC 4: connected, and charges, payouts and details all true. */
export function isWhole(connection: Connection): boolean {
  const { connected, charges_enabled, payouts_enabled, details_submitted } = connection;
  return connected && charges_enabled && payouts_enabled && details_submitted;
}
