import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "../../kit/api";

export type Plan = {
  slug: string;
  name: string;
  priceCents: number;
  interval: "month" | "year" | null;
  features: string[];
};

/** What the plans are when the server cannot say (SPEC 6 and 9). */
export const FALLBACK_PLANS: readonly Plan[] = [
  {
    slug: "community",
    name: "Community Member",
    priceCents: 0,
    interval: null,
    features: [
      "Browse skills and services",
      "Basic profile",
      "Message neighbors",
      "Join discussions",
      "Safety resources",
    ],
  },
  {
    slug: "skill-sharer",
    name: "Skill Sharer",
    priceCents: 900,
    interval: "month",
    features: [
      "Offer skills and services",
      "AI session matching",
      "Calendar integration",
      "Payment processing",
      "Enhanced profile",
    ],
  },
  {
    slug: "premium-angel",
    name: "Premium Angel",
    priceCents: 1900,
    interval: "month",
    features: ["Priority listing", "Analytics", "Custom branding", "Multiple categories", "Dedicated support"],
  },
];

export const plansQuery = queryOptions({
  queryKey: ["plans"],
  queryFn: async ({ signal }) => (await api.get<{ plans: Plan[] }>("/plans", { signal })).plans,
  staleTime: 5 * 60_000,
});

/** The plans on offer: the bundled ones until, and unless, the server answers. */
export function usePlans(): readonly Plan[] {
  const plans = useQuery(plansQuery);
  return plans.data?.length ? plans.data : FALLBACK_PLANS;
}

/** "Free", "$9", "$9.50": whole dollars without cents. */
export function planPrice(plan: Plan): string {
  if (plan.priceCents === 0) return "Free";
  const dollars = plan.priceCents / 100;
  return `$${Number.isInteger(dollars) ? dollars : dollars.toFixed(2)}`;
}
