import type { Waiver } from "../api/get-waivers";
import { formatTimestamp } from "@porchlight/shared/format/dates";
import { pluralize } from "@porchlight/shared/format/numbers";

type StateText = { label: string; tone: "good" | "neutral" | "warning"; text: string };

/** Return the state of a waiver as a badge and a sentence. */
export function stateText({ state, expiresAt, endedAt }: Waiver): StateText {
  const ended = endedAt ? ` on ${formatTimestamp(endedAt)}` : "";
  switch (state) {
    case "valid":
      return { label: "Valid", tone: "good", text: `Valid until ${formatTimestamp(expiresAt)}` };
    case "expired":
      return { label: "Expired", tone: "neutral", text: `Expired on ${formatTimestamp(expiresAt)}` };
    case "withdrawn":
      return { label: "Withdrawn", tone: "neutral", text: `You withdrew it${ended}` };
    case "outdated":
      return { label: "Needs a new one", tone: "warning", text: `The waiver text changed${ended}` };
  }
}

/** Return what withdrawing a waiver does, as sentences. */
export function withdrawalText({ openSessions, isSample }: Waiver): string {
  const kept = "We keep the record of what you agreed to until now, and you keep the receipt.";
  if (isSample) return kept;
  if (openSessions === 0) return `You'll need to accept a new waiver before you book this again. ${kept}`;
  const what =
    openSessions === 1
      ? "It stays booked, but you'll need to accept a new waiver before it starts."
      : "They stay booked, but you'll need to accept a new waiver before they start.";
  return `You have ${pluralize(openSessions, "upcoming session")} with this waiver. ${what} ${kept}`;
}
