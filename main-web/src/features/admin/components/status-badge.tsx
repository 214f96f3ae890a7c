import { Badge } from "@/components/ui/badge";

const TONES = {
  active: ["good", "Active"],
  suspended: ["danger", "Suspended"],
  unpublished: ["neutral", "Unpublished"],
  open: ["warning", "Open"],
  resolved: ["good", "Resolved"],
  waiting: ["warning", "Waiting"],
  decided: ["good", "Rated"],
  hidden: ["danger", "Hidden"],
  listed: ["good", "Listed"],
  private: ["neutral", "Private"],
  requested: ["warning", "Requested"],
  confirmed: ["good", "Confirmed"],
  completed: ["neutral", "Completed"],
  missed: ["warning", "Missed"],
  canceled: ["danger", "Canceled"],
  declined: ["neutral", "Declined"],
} as const;

/** The label and color of a status. */
export function StatusBadge({ status }: { status: string }) {
  const entry = (TONES as Record<string, readonly [(typeof TONES)[keyof typeof TONES][0], string] | undefined>)[status];
  return entry ? <Badge tone={entry[0]}>{entry[1]}</Badge> : <Badge>{status}</Badge>;
}
