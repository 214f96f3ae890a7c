/** Views: in thousands with "K+" from 1,000 on; below, the number itself (SPEC 5, DESIGN 11). */
export function formatViews(views: number): string {
  const whole = Math.max(0, Math.floor(views));
  return whole >= 1000 ? `${grouped(Math.floor(whole / 1000))}K+` : String(whole);
}

/** 1234567 as "1,234,567", the same in the server's engine and every browser whatever its language. */
export function grouped(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+(?!\d))/g, ",");
}

/** Whole dollars as "$75", others with cents. */
export function formatPrice(dollars: number): string {
  return Number.isInteger(dollars) ? `$${grouped(dollars)}` : `$${dollars.toFixed(2)}`;
}
