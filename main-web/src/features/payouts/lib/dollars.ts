const DECIMAL = /^(\d{1,9})?(?:\.(\d*))?$/;

/**
 * Parse the text of an amount field in dollars into cents, rounded half up (SPEC 5). Digits are counted, because floats
 * lose half cents: 1.005 * 100 is less than 100.5. Null when it is not an amount.
 */
export function parseDollars(text: string): number | null {
  const match = DECIMAL.exec(text.trim());
  const [, whole = "", fraction = ""] = match ?? [];
  if (!match || whole + fraction === "") return null;
  const cents = Number(whole) * 100 + Number(fraction.padEnd(2, "0").slice(0, 2));
  return fraction.charAt(2) >= "5" ? cents + 1 : cents;
}
