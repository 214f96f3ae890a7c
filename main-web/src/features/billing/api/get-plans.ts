import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import type { Interval } from "../lib/choices";
import { formatMoney } from "@porchlight/shared/format/money";

export type Plan = {
  slug: string;
  name: string;
  priceCents: number;
  yearlyPriceCents: number;
  interval: "month" | "year" | null;
  features: string[];
  /** What it has beyond the plan below, by its limits. */
  points: string[];
  /** The features that are not built yet. */
  coming: string[];
};

/**
 * The plans shown when the server cannot be reached (SPEC 6 and 9), and until it answers: then nothing moves, because
 * they are the same.
 */
export const FALLBACK_PLANS: readonly Plan[] = [
  {
    slug: "community",
    name: "Community Member",
    priceCents: 0,
    yearlyPriceCents: 0,
    interval: null,
    features: [
      "Browse skills and services",
      "Basic profile",
      "Message neighbors",
      "Join discussions",
      "Safety resources",
    ],
    points: [
      "A guru site at your own Porchlight address",
      "Everyone you match with both ways",
      "2 more matches",
      "3 priced services",
      "3 skills to swap or give",
      "1 work photo",
      "7 days of statistics",
    ],
    coming: ["Join discussions", "Safety resources"],
  },
  {
    slug: "skill-sharer",
    name: "Skill Sharer",
    priceCents: 900,
    yearlyPriceCents: 9000,
    interval: "month",
    features: [
      "Offer skills and services",
      "AI session matching",
      "Calendar integration",
      "Payment processing",
      "Enhanced profile",
    ],
    points: [
      "All matches",
      "20 priced services",
      "20 priced skills",
      "20 skills to swap or give",
      "10 work photos",
      "30 days of statistics",
      "Answers from our team within 2 business days",
    ],
    coming: ["Payment processing"],
  },
  {
    slug: "premium-angel",
    name: "Premium Angel",
    priceCents: 1900,
    yearlyPriceCents: 19000,
    interval: "month",
    features: ["Priority listing", "Analytics", "Custom branding", "Multiple categories", "Dedicated support"],
    points: [
      "Your own domain",
      "Your own colors",
      "100 priced services",
      "100 priced skills",
      "100 skills to swap or give",
      "30 work photos",
      "24 months of statistics",
      "Answers from our team within 1 business day",
    ],
    coming: [],
  },
];

export const plansQuery = queryOptions({
  queryKey: ["plans"],
  queryFn: async ({ signal }) => (await api.GET("/plans", { signal })).plans,
  staleTime: 5 * 60_000,
});

/** List the plans: the fallback until, and unless, the server responds. */
export function usePlans(): readonly Plan[] {
  const plans = useQuery(plansQuery);
  return plans.data?.length ? plans.data : FALLBACK_PLANS;
}

/** Format a plan's price per month or year: "Free", "$9" or "$9.50". */
export function planPrice(plan: Plan, interval: Interval = "month"): string {
  const cents = interval === "month" ? plan.priceCents : plan.yearlyPriceCents;
  return plan.priceCents === 0 ? "Free" : formatMoney(cents);
}
