import type { Listing } from "../api/get-listing";
import { formatMoney } from "@porchlight/shared/format/money";

export const DAYS = { mon: "Mon", tue: "Tue", wed: "Wed", thu: "Thu", fri: "Fri", sat: "Sat", sun: "Sun" } as const;
export const FORMATS = { in_person: "In person", online: "Online" } as const;
export const TERMS = { price: "Paid", swap: "Skill swap", hours: "Time credits", free: "Free" } as const;

/** Format the terms as "$25/hr, skill swap". */
export function termsLabel({ terms, priceCents }: Pick<Listing, "terms" | "priceCents">): string {
  const termLabels = terms.map((term) =>
    term === "price" && priceCents !== null ? `${formatMoney(priceCents)}/hr` : TERMS[term].toLowerCase(),
  );
  const [first = "", ...rest] = termLabels;
  return [first.charAt(0).toUpperCase() + first.slice(1), ...rest].join(", ");
}

/** Format the days, or "Any day". */
export function daysLabel(days: Listing["days"]): string {
  return days.length === 7 ? "Any day" : days.map((day) => DAYS[day]).join(", ");
}
