import { Badge } from "../../ui/badge";

const TONES = {
  active: ["green", "Active"],
  suspended: ["danger", "Suspended"],
  unpublished: ["neutral", "Unpublished"],
  open: ["lamp", "Open"],
  resolved: ["green", "Resolved"],
  waiting: ["lamp", "Waiting"],
  decided: ["green", "Decided"],
  hidden: ["danger", "Hidden"],
  listed: ["green", "Listed"],
  private: ["neutral", "Not shown"],
} as const;

/** How something stands, in one word. */
export function StatusBadge({ status }: { status: string }) {
  const known = (TONES as Record<string, readonly [(typeof TONES)[keyof typeof TONES][0], string] | undefined>)[status];
  return known ? <Badge tone={known[0]}>{known[1]}</Badge> : <Badge>{status}</Badge>;
}
