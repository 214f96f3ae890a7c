import { type RefObject, useLayoutEffect, useRef } from "react";

/**
 * Keep what is entered into a form before React takes over the page. React leaves uncontrolled fields as they are, but
 * replaces the form where the HTML differs from what it renders, as on a page that a browser has translated.
 * @param id - the id of the form element, which gets the returned ref
 */
export function useEarlyForm(id: string): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  // While React renders, the page still has the server's form.
  const early = useRef(typeof document === "undefined" ? null : document.getElementById(id));
  const focused = useRef(typeof document === "undefined" ? null : document.activeElement);
  useLayoutEffect(() => {
    const before = early.current;
    early.current = null;
    if (!(before instanceof HTMLFormElement) || before === form.current) return;
    [...before.elements].forEach((from, index) => {
      const to = form.current?.elements[index];
      if (from instanceof HTMLInputElement && to instanceof HTMLInputElement) to.checked = from.checked;
      if (isField(from) && isField(to)) to.value = from.value;
      if (from === focused.current && to instanceof HTMLElement) to.focus({ preventScroll: true });
    });
  }, []);
  return form;
}

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

function isField(element: Element | undefined): element is Field {
  return (
    element instanceof HTMLInputElement ||
    element instanceof HTMLSelectElement ||
    element instanceof HTMLTextAreaElement
  );
}
