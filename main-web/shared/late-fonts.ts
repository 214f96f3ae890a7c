/**
 * Use fonts that came too late for the page that the browser opened. They are optional, so that nothing moves while
 * someone reads; on the way to another page everything is new.
 */
export function showLateFonts(): void {
  // Tests have no fonts.
  if (typeof document.fonts === "undefined") return;
  for (const face of document.fonts) face.display = "swap";
}
