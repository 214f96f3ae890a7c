import { paths } from "@/config/paths";
import type { CardPayments } from "./types";

export type Missing = { text: string; to?: string; link?: string };

/** What a guru lacks to take cards, with the page where they change it; null for nothing. */
export function missingForCards({ state }: CardPayments): Missing | null {
  switch (state) {
    case "not_set_up":
      return { text: "Payments are not set up on this site yet." };
    case "plan_required":
      return { text: "Taking cards needs a plan that includes it.", to: paths.pricing, link: "See the plans" };
    case "not_connected":
      return {
        text: "Connect your payout account first, so that the money can reach you.",
        to: paths.payouts,
        link: "Set up payouts",
      };
    case "ready":
      return null;
  }
}
