import { useBilling } from "@/features/billing/contract";
import { useCurrentUserId } from "@/lib/use-current-user-id";

export type ListedLimit = { limit: number; planName: string };

/** Return how many categories the user's plan shows on a site; null until it is known. */
export function useListedLimit(): ListedLimit | null {
  const billing = useBilling(useCurrentUserId() || null).data;
  const limit = billing?.limits.find(({ feature }) => feature === "listed_categories")?.limit;
  return billing && typeof limit === "number" ? { limit, planName: billing.planName } : null;
}

/** Say how many categories a site shows, and which when more are chosen. */
export function limitText({ limit, planName }: ListedLimit, chosen: number): string {
  const count = limit === 1 ? "one category" : `up to ${limit} categories`;
  const which = chosen > limit ? `: the first ${limit === 1 ? "one" : limit} with all documents approved` : "";
  return `As a ${planName}, your site shows ${count}${which}.`;
}
