import { paths } from "@/config/paths";

export type Interval = "month" | "year";
/** A plan to buy. */
export type Choice = { plan: "skill-sharer" | "premium-angel"; interval: Interval };
/** A plan to change to; "community" cancels. */
export type Target = { plan: "community" | Choice["plan"]; interval: Interval };

/** The search parameters of /pricing: a purchase to continue after signing in, and where it returns to. */
export const BUY = { plan: "buy", interval: "interval", returnTo: "returnTo" } as const;

export function isPaidPlan(slug: string | null): slug is Choice["plan"] {
  return slug === "skill-sharer" || slug === "premium-angel";
}

/** Return the address of the pricing page that continues a purchase. */
export function purchaseAddress(choice: Choice, returnTo: string): string {
  const query = { [BUY.plan]: choice.plan, [BUY.interval]: choice.interval, [BUY.returnTo]: returnTo };
  return `${paths.pricing}?${new URLSearchParams(query).toString()}`;
}

/** Return the purchase that the address of the pricing page asks for, or null. */
export function requestedPurchase(search: URLSearchParams): (Choice & { returnTo: string }) | null {
  const plan = search.get(BUY.plan);
  if (!isPaidPlan(plan)) return null;
  const interval = search.get(BUY.interval) === "year" ? "year" : "month";
  return { plan, interval, returnTo: search.get(BUY.returnTo) ?? paths.pricing };
}
