import type { Listing } from "./get-listing";

export const DAYS = { mon: "Mon", tue: "Tue", wed: "Wed", thu: "Thu", fri: "Fri", sat: "Sat", sun: "Sun" } as const;
export const FORMATS = { in_person: "In person", online: "Online" } as const;
export const TERMS = { price: "For a price", swap: "In a swap", hours: "For hours", free: "For free" } as const;

/** "$25/hr, in a swap". */
export function termsLabel({ terms, priceCents }: Pick<Listing, "terms" | "priceCents">): string {
  const words = terms.map((term) =>
    term === "price" && priceCents !== null
      ? `$${(priceCents / 100).toFixed(priceCents % 100 === 0 ? 0 : 2)}/hr`
      : TERMS[term].toLowerCase(),
  );
  const [first = "", ...rest] = words;
  return [first.charAt(0).toUpperCase() + first.slice(1), ...rest].join(", ");
}

/** "Any day", else the days. */
export function daysLabel(days: Listing["days"]): string {
  return days.length === 7 ? "Any day" : days.map((day) => DAYS[day]).join(", ");
}
