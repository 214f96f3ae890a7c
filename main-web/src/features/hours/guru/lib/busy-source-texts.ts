import type { BusySource } from "./types";
import { formatDateTime } from "@porchlight/shared/format/dates";

/** Where to find the address of a calendar, by provider. */
export const ADDRESS_HINTS = [
  {
    provider: "Google Calendar",
    steps: "Settings, your calendar, “Integrate calendar”. Copy the secret address in iCal format.",
  },
  { provider: "Outlook", steps: "Settings, “Shared calendars”, publish a calendar. Copy the ICS link." },
  { provider: "iCloud, Fastmail, Nextcloud", steps: "Sign in with an app password instead (see below)." },
] as const;

/** Calendar servers to sign in to. `hint` says where an app password comes from. */
export const SERVERS = [
  {
    name: "iCloud",
    url: "https://caldav.icloud.com",
    hint: "Create an app-specific password at account.apple.com, under “Sign-In and Security”.",
  },
  {
    name: "Fastmail",
    url: "https://caldav.fastmail.com",
    hint: "Create an app password in Settings, “Privacy & Security”, for calendars.",
  },
  {
    name: "Another server",
    url: "",
    hint: "For Nextcloud, use the address of your cloud and an app password from Settings, “Security”.",
  },
] as const;

export const STATE_LABELS = {
  new: "Reading",
  good: "Connected",
  failing: "Not readable",
  decide: "Please decide",
  paused: "Paused",
} as const;
export const STATE_TONES = {
  new: "neutral",
  good: "good",
  failing: "warning",
  decide: "danger",
  paused: "neutral",
} as const;

/** Say how a connected calendar is doing. */
export function stateText({ name, state, reason, lastGoodAt, failingSince }: BusySource): string {
  const last = lastGoodAt === null ? "" : formatDateTime(lastGoodAt);
  const since = failingSince === null ? "" : formatDateTime(failingSince);
  switch (state) {
    case "new":
      return "We're reading it for the first time.";
    case "good":
      return `Last read ${last}. We read it every 15 minutes.`;
    case "paused":
      return "Your plan doesn't include it any more, so its times don't count. They do again with Skill Sharer.";
    case "failing":
    case "decide":
      return lastGoodAt === null
        ? `We could not read ‘${name}’ since ${since}, so its times don't count yet. ${reason}`
        : `We could not read ‘${name}’ since ${since}. We go by what we read on ${last}. ${reason}`;
  }
}
