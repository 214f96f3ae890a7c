import type { components } from "@porchlight/shared/api.gen";

export type Connection = components["schemas"]["ConnectionStatus"];
export type RedirectUrl = components["schemas"]["RedirectUrl"];

/** Tell whether the account is connected, with charges, payouts and details all true (SPEC 4). */
export function isComplete(connection: Connection): boolean {
  const { connected, charges_enabled, payouts_enabled, details_submitted } = connection;
  return connected && charges_enabled && payouts_enabled && details_submitted;
}
