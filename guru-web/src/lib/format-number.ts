/** Views as "999" below 1,000 and "12K+" from there on (SPEC 5, docs/settled-questions.md). */
export function formatViews(views: number): string {
  const whole = Math.max(0, Math.floor(views));
  return whole >= 1000 ? `${formatInteger(Math.floor(whole / 1000))}K+` : String(whole);
}

/** 1234567 as "1,234,567". Independent of the locale, so that server and browser render the same text. */
export function formatInteger(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+(?!\d))/g, ",");
}

/** Whole dollars as "$75", other amounts with cents. */
export function formatPrice(dollars: number): string {
  return Number.isInteger(dollars) ? `$${formatInteger(dollars)}` : `$${dollars.toFixed(2)}`;
}

/** An average as "4.8". */
export function formatAverage(average: number): string {
  return average.toFixed(1);
}
