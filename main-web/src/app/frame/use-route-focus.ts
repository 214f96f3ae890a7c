import { useEffect, useRef } from "react";
import { useLocation } from "react-router-dom";

/**
 * After a change of page, moves focus to the page's heading (or the main area), as a full page load would start
 * there; the first load and jumps within a page are left alone.
 */
export function useRouteFocus() {
  const main = useRef<HTMLElement>(null);
  const { pathname, hash } = useLocation();
  const shown = useRef(pathname);

  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    if (hash) return;
    const heading = main.current?.querySelector<HTMLElement>("h1");
    const target = heading ?? main.current;
    if (!target) return;
    target.tabIndex = -1;
    target.focus({ preventScroll: true });
  }, [pathname, hash]);

  return main;
}
