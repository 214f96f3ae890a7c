let isSettled = false;

/**
 * Use fonts that came after the first paint. They are optional, so that nothing moves while someone reads; on the way to
 * another page everything is new. A rule that was once without its font stays so, and is therefore replaced.
 */
export function showLateFonts(): void {
  if (isSettled) return;
  isSettled = true;
  const painted = performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0;
  const links = [...document.querySelectorAll<HTMLLinkElement>('link[as="font"]')];
  const isInTime = links.every(({ href }) => {
    const file = performance.getEntriesByName(href)[0] as PerformanceResourceTiming | undefined;
    return file !== undefined && file.responseEnd <= painted;
  });
  if (isInTime) return;
  for (const sheet of document.styleSheets) {
    [...sheet.cssRules].forEach((rule, index) => {
      if (!(rule instanceof CSSFontFaceRule) || !rule.cssText.includes("optional")) return;
      sheet.deleteRule(index);
      sheet.insertRule(rule.cssText.replace("optional", "swap"), index);
    });
  }
}
