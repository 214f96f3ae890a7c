import { useEffect, useRef } from "react";
import { useLocation } from "react-router-dom";

/**
 * Move focus to the page's heading (or the main area) after navigation, as a full page load would. The first load and
 * jumps within a page do not move it.
 */
export function useRouteFocus() {
  const main = useRef<HTMLElement>(null);
  const { pathname, hash } = useLocation();
  const shownPathname = useRef(pathname);

  useEffect(() => {
    if (shownPathname.current === pathname) return;
    shownPathname.current = pathname;
    if (hash) return;
    const heading = main.current?.querySelector<HTMLElement>("h1");
    const target = heading ?? main.current;
    if (!target) return;
    target.tabIndex = -1;
    target.focus({ preventScroll: true });
  }, [pathname, hash]);

  return main;
}
