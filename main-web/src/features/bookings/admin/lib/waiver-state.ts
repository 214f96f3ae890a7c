import type { WaiverChainsState } from "./types";
import { formatRelativeTime } from "@porchlight/shared/format/dates";
import { formatNumber } from "@porchlight/shared/format/numbers";

/** Describe the result of a verification at `checkedAt`, in milliseconds: "All 1,204 records verified, just now". */
export function describeVerification(state: WaiverChainsState, checkedAt: number): string {
  const { links, verifiedLinks } = state;
  if (links === 0) return "No waivers yet.";
  const when = formatRelativeTime(new Date(checkedAt).toISOString());
  if (verifiedLinks < links) {
    return `The first ${formatNumber(verifiedLinks)} of ${formatNumber(links)} records verified, ${when}. To verify all, run “porchlight waivers audit”.`;
  }
  return links === 1
    ? `The only record is verified, ${when}.`
    : `All ${formatNumber(links)} records verified, ${when}.`;
}
