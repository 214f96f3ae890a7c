/** Return the typed dollars in cents; undefined when the text is not an amount. */
export function parseMaxPriceCents(dollars: string): number | undefined {
  const amount = Number(dollars);
  return dollars.trim() !== "" && Number.isFinite(amount) && amount >= 0 ? Math.round(amount * 100) : undefined;
}
