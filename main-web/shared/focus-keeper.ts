/** How many places of the focus are remembered: a dialog's button, what opened the dialog, and some more. */
const MAX_VISITS = 8;

/** An element that had the focus, the path of its page, and where it was when it was removed. */
type Visit = { element: HTMLElement; path: string; place: { parent: Element; before: Element | null } | null };

/**
 * Keep the focus near where it was when an update removes the focused element: "Try again" whose content has arrived,
 * "Show more" after the last page, a button that acts on its own row. Browsers give it to the body, and screen readers
 * start at the top. It goes to what is there now; a page that moves the focus by itself comes first, and so does a
 * navigation.
 *
 * @returns the function that stops it
 */
export function keepFocus(root: Document = document): () => void {
  const visits: Visit[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  const onFocus = ({ target }: FocusEvent) => {
    const element = target as HTMLElement;
    const known = visits.findIndex((visit) => visit.element === element);
    if (known >= 0) visits.splice(known, 1);
    visits.push({ element, path: root.location.pathname, place: null });
    if (visits.length > MAX_VISITS) visits.shift();
  };

  const observer = new MutationObserver((records) => {
    const current = visits.at(-1);
    if (!current || current.element.isConnected) return;
    for (const { removedNodes, target, previousSibling } of records) {
      const before = previousSibling instanceof Element ? previousSibling : null;
      for (const visit of visits) {
        if (visit.place || visit.element.isConnected) continue;
        if ([...removedNodes].some((node) => node.contains(visit.element)))
          visit.place = { parent: target as Element, before };
      }
    }
    // The page's own effects move the focus first.
    clearTimeout(timer);
    timer = setTimeout(() => restore(current), 0);
  });

  function restore(current: Visit) {
    if (root.activeElement && root.activeElement !== root.body) return;
    if (visits.at(-1) !== current || current.path !== root.location.pathname) return;
    for (const { element, place, path } of visits.toReversed()) {
      if (path !== root.location.pathname) return;
      if (element.isConnected) element.focus({ preventScroll: true });
      else if (place?.parent.isConnected) focusPlace(place.parent, place.before);
      if (root.activeElement && root.activeElement !== root.body) return;
    }
  }

  root.addEventListener("focusin", onFocus);
  observer.observe(root.body, { childList: true, subtree: true });
  return () => {
    clearTimeout(timer);
    observer.disconnect();
    root.removeEventListener("focusin", onFocus);
  };
}

const UNSUITABLE = "a[href], button, input, select, textarea, summary, [aria-hidden=true], [hidden]";

/**
 * Focus what is at a place now, or else what is around it. It does not become a tab stop: Tab goes on from there. It is
 * never a control, because a second press of the same key would act on something else.
 */
function focusPlace(parent: Element, before: Element | null) {
  const stands = before?.isConnected ? before : null;
  const next = stands ? stands.nextElementSibling : parent.firstElementChild;
  const element = [next, stands, parent].find(
    (one): one is HTMLElement => one instanceof HTMLElement && one !== document.body && !one.matches(UNSUITABLE),
  );
  if (!element) return;
  if (!element.hasAttribute("tabindex")) {
    element.tabIndex = -1;
    element.addEventListener("blur", () => element.removeAttribute("tabindex"), { once: true });
  }
  element.focus({ preventScroll: true });
}
