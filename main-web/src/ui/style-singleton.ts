import { useEffect } from "react";

/**
 * Stands in for the package of the same name below Radix's scroll lock. The original appends a <style>
 * element, which `style-src 'self'` refuses; constructed style sheets are allowed, so the same rules go there.
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
      const gone = sheet;
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== gone);
      sheet = null;
    },
  };
}

/** A component that keeps `styles` applied while at least one instance is mounted. */
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
