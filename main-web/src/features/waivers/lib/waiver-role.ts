import type { WaiverValues } from "./waiver-values";

/** The person that a waiver covers: the signer, a child, or whom the signer chooses. */
export type WaiverRole = { for: "self" } | { for: "minor"; name: string } | { for: "choice"; minor?: string };

/** Return what is signed in a role: what the signer chose does not matter where there is no choice. */
export function forRole(values: WaiverValues, role: WaiverRole): WaiverValues {
  if (role.for === "self") return { ...values, guardian: false };
  if (role.for === "minor") return { ...values, guardian: true, participantName: role.name };
  return role.minor === undefined ? values : { ...values, participantName: role.minor };
}
