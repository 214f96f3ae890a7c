import { lazy } from "./lazy";

const usd = lazy(() => currencyFormat("USD"));
const usdWithCents = lazy(() => new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" }));

function currencyFormat(currency: string): Intl.NumberFormat {
  return new Intl.NumberFormat("en-US", { style: "currency", currency, trailingZeroDisplay: "stripIfInteger" });
}

/** Format cents: 4500 as "$45", 1950 as "$19.50". */
export function formatMoney(cents: number, currency = "USD"): string {
  return (currency === "USD" ? usd() : currencyFormat(currency)).format(cents / 100);
}

/** Format cents with two decimals, as SPEC 9 shows balances: 4500 as "$45.00", -1 as "-$0.01". */
export const formatCents = (cents: number) => usdWithCents().format(cents / 100);

/** Parse "45", "$45.5" or " 1,200 " into cents; null when it is not an amount. */
export function parseMoney(text: string): number | null {
  const digits = text
    .trim()
    .replace(/^\$\s*/, "")
    .replace(/,(?=\d{3}(\D|$))/g, "");
  const found = /^(\d{1,6})(?:\.(\d{1,2}))?$/.exec(digits);
  if (!found) return null;
  const [, whole = "", cents = ""] = found;
  return Number(whole + cents.padEnd(2, "0"));
}

/** Format cents for a price field: 4500 as "45", 1950 as "19.50". */
export function moneyInputValue(cents: number): string {
  return (cents / 100).toFixed(cents % 100 === 0 ? 0 : 2);
}
