import type { LeadStatus, Standing } from "./types";
import { ApiError } from "@porchlight/shared/client";

export const STANDINGS: Record<Standing, string> = { draft: "Draft", scheduled: "Scheduled", published: "Published" };
export const STANDING_TONES = { draft: "neutral", scheduled: "lamp", published: "green" } as const;
export const LEAD_STATUSES: Record<LeadStatus, string> = { new: "New", read: "Read", answered: "Answered", archived: "Archived" };
export const LEAD_TONES = { new: "lamp", read: "neutral", answered: "green", archived: "neutral" } as const;

/** What went wrong, in a sentence. */
export function why(reason: unknown): string {
  return reason instanceof Error ? reason.message : "Something went wrong. Please try again.";
}

/** Whether somebody saved from another tab or device in the meantime. */
export function changedElsewhere(reason: unknown): boolean {
  return reason instanceof ApiError && reason.code === "changed_elsewhere";
}

const DAY = new Intl.DateTimeFormat("en-US", { month: "short", day: "numeric", year: "numeric" });
const MOMENT = new Intl.DateTimeFormat("en-US", { month: "short", day: "numeric", hour: "numeric", minute: "2-digit" });

export const day = (iso: string) => DAY.format(new Date(iso));
export const moment = (iso: string) => MOMENT.format(new Date(iso));
export const counted = (count: number, one: string, more = `${one}s`) => `${count.toLocaleString("en-US")} ${count === 1 ? one : more}`;

/** The address as people say it. */
export const spoken = (address: string) => address.replace(/^https?:\/\//, "");
