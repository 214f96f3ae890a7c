/** Texts of the waiver (SPEC 2.13), verbatim. */
export const NOT_ACCEPTED =
  "Liability waiver is required to participate in skill exchanges. Please accept the waiver to continue.";

export function acceptedMessage(skill: string): string {
  return `Liability waiver accepted! You can now participate in "${skill}". Exchange can proceed safely.`;
}
