/** Texts of the waiver (SPEC 2.13, 8.5), verbatim. */
export const NOT_ACCEPTED =
  "Liability waiver is required to participate in skill exchanges. Please accept the waiver to continue.";
export const SUBMIT_FAILED = "Failed to submit liability waiver. Please try again.";
export const UNEXPECTED = "An unexpected error occurred. Please try again.";

export function acceptedMessage(skill: string): string {
  return `Liability waiver accepted! You can now participate in "${skill}". Exchange can proceed safely.`;
}
