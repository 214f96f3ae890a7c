import { useEffect, type RefObject } from "react";

/**
 * Show that a row which scrolls sideways goes on: `data-more` names the sides with more, which base.css fades. The
 * selected element of the row is brought into view when `selected` changes, without scrolling the page.
 */
export function useScrollEdges(row: RefObject<HTMLElement | null>, selector: string, selected: string) {
  useEffect(() => {
    const element = row.current;
    const current = element?.querySelector<HTMLElement>(selector);
    if (element && current) element.scrollLeft = current.offsetLeft - (element.clientWidth - current.offsetWidth) / 2;
  }, [row, selector, selected]);

  useEffect(() => {
    const element = row.current;
    if (!element || !("ResizeObserver" in window)) return;
    const update = () => {
      const rest = element.scrollWidth - element.clientWidth - element.scrollLeft;
      element.dataset.more = [element.scrollLeft > 1 && "start", rest > 1 && "end"].filter(Boolean).join(" ");
    };
    const observer = new ResizeObserver(update);
    for (const part of [element, ...element.children]) observer.observe(part);
    element.addEventListener("scroll", update, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", update);
    };
  }, [row]);
}
