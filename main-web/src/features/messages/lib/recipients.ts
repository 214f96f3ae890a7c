import { paths } from "@/config/paths";
import type { Recipient, RecipientKind, Side } from "./types";

const KINDS: readonly RecipientKind[] = [
  "booking",
  "need_offer",
  "match",
  "profile",
  "guru",
  "ring_member",
  "lead",
  "listing",
];

/** Read the recipient of an address, "kind:id"; null when it names none. */
export function readRecipient(to: string | null): Recipient | null {
  const [name = "", ...rest] = (to ?? "").split(":");
  const kind = KINDS.find((one) => one === name);
  const id = rest.join(":");
  return kind && id !== "" && id.length <= 200 ? { kind, id } : null;
}

/** Return the page of a side's threads, or of one of them. */
export const messagesPath = (side: Side, thread = "") =>
  (side === "guru" ? paths.guruMessages : paths.messages) + (thread && `/${thread}`);
