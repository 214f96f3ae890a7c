import { useEffect } from "react";

/**
 * Replace the package of the same name, which Radix's scroll lock uses. The original appends a <style> element, which
 * `style-src 'self'` blocks; constructed style sheets are allowed.
 */
export function stylesheetSingleton() {
  let users = 0;
  let sheet: CSSStyleSheet | null = null;
  return {
    add(css: string) {
      users += 1;
      if (users > 1) return;
      sheet = new CSSStyleSheet();
      sheet.replaceSync(css);
      document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    },
    remove() {
      users -= 1;
      if (users > 0 || !sheet) return;
      const removed = sheet;
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== removed);
      sheet = null;
    },
  };
}

/** Create a component that applies `styles` while at least one instance is mounted. */
export function styleSingleton() {
  const sheet = stylesheetSingleton();
  return function Style({ styles }: { styles: string; dynamic?: boolean }) {
    useEffect(() => {
      sheet.add(styles);
      return () => sheet.remove();
    }, [styles]);
    return null;
  };
}
