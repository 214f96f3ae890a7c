import { tabOfKey } from "./tab-keys";

/** The event with which the app takes over a prerendered page. */
const TAKEN_OVER = "porchlight:taken-over";
/** The event with which the app has taken it over: it knows what its fields show. */
const RENDERED = "porchlight:rendered";

const BUTTONS = 'button[type="button"]';
const FIELDS = "input, select, textarea";
type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/**
 * Hold what is pressed and entered in `root` before the app takes it over: buttons, tabs, fields and forms that only
 * the app can send. Links and forms with an address work without the app.
 */
export function holdInput(root: HTMLElement): void {
  holdPresses(root);
  holdFields(root);
  // Last, so that a form is sent with what was entered.
  holdForms(root);
}

/** Hold forms without an address: the browser would put what was entered, such as a password, into the page's own. */
function holdForms(root: HTMLElement): void {
  let sent: HTMLFormElement | null = null;
  let successors = rememberElements<HTMLFormElement>(root, "form");
  const hold = (event: Event) => {
    const form = event.target as HTMLFormElement;
    if (form.hasAttribute("action")) return;
    event.preventDefault();
    sent = form;
  };
  root.addEventListener("submit", hold);
  root.addEventListener(
    TAKEN_OVER,
    () => {
      root.removeEventListener("submit", hold);
      successors = rememberElements<HTMLFormElement>(root, "form");
    },
    { once: true },
  );
  root.addEventListener(RENDERED, () => sent && successors()(sent)?.requestSubmit(), { once: true });
}

/** Hold what is entered: React would take the fields back to what they were in the prerendered page. */
function holdFields(root: HTMLElement): void {
  const entered = new Map<Field, string>();
  let successors = rememberElements<Field>(root, FIELDS);
  let focused: Element | null = root.contains(document.activeElement) ? document.activeElement : null;
  const hold = ({ target }: Event) => {
    const field = target as Field;
    entered.set(field, field.value);
  };
  const focus = ({ target }: Event) => (focused = target as Element);
  // A field that React replaces may say that it loses the focus: it keeps it until React is done.
  const leave = ({ target }: Event) =>
    queueMicrotask(() => {
      if (focused === target) focused = null;
    });
  root.addEventListener("input", hold);
  root.addEventListener("focusin", focus);
  root.addEventListener("focusout", leave);
  root.addEventListener(TAKEN_OVER, () => {
    successors = rememberElements<Field>(root, FIELDS);
    // A browser that comes back to the page fills its fields without an event.
    for (const field of root.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>("input, textarea")) {
      if (field.value !== field.defaultValue) entered.set(field, field.value);
    }
  });
  root.addEventListener(
    RENDERED,
    () => {
      root.removeEventListener("input", hold);
      root.removeEventListener("focusin", focus);
      root.removeEventListener("focusout", leave);
      const now = successors();
      const field = focused && !focused.isConnected && now(focused as Field);
      if (field) field.focus({ preventScroll: true });
      for (const [early, value] of entered) {
        const shown = now(early);
        if (shown) enterAgain(shown, value, early);
      }
    },
    { once: true },
  );
}

/**
 * Remember which elements `root` has. React renders a prerendered page from the start where it differs, as one that a
 * browser has translated does.
 * @returns a function that looks at them again, and returns one that finds the element now in the place of an earlier
 * one: itself, or where it is gone, the one of the same kind at its position
 */
function rememberElements<E extends Element>(root: HTMLElement, selector: string): () => (early: E) => E | undefined {
  const before = [...root.querySelectorAll<E>(selector)];
  return () => {
    const now = [...root.querySelectorAll<E>(selector)];
    return (early) => {
      if (early.isConnected) return early;
      const there = now[before.indexOf(early)];
      return there && isSameKind(there, early) && !before.includes(there) ? there : undefined;
    };
  };
}

const isSameKind = (one: Element, other: Element) =>
  one.localName === other.localName &&
  ["type", "name", "aria-label"].every((name) => one.getAttribute(name) === other.getAttribute(name));

/**
 * Enter a value again, so that React notices: it compares with the last value that was set on the element itself.
 * @param early - the element into which it was entered: `field`, or the one in whose place React rendered it
 */
function enterAgain(field: Field, value: string, early: Field) {
  if (field.type === "radio" || field.type === "checkbox") {
    const choice = field as HTMLInputElement;
    if (!(early as HTMLInputElement).checked) return; // another one was chosen after it
    choice.checked = false;
    choice.click();
    return;
  }
  const isText = "selectionStart" in field;
  const { selectionStart: start, selectionEnd: end } = early as HTMLInputElement;
  if (isText) field.value = "";
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field) as object, "value")?.set?.call(field, value);
  if (isText && start !== null) field.setSelectionRange(start, end);
  field.dispatchEvent(new Event(isText ? "input" : "change", { bubbles: true }));
}

/** Hold what is pressed. */
function holdPresses(root: HTMLElement): void {
  // In order. An impatient second press of a menu button must not close the menu, and of tabs only the last counts.
  const held = new Map<Element, HTMLElement>();
  const takenOver = new AbortController();
  const { signal } = takenOver;
  const main = root.querySelector("main");
  const successors = rememberElements<HTMLElement>(root, BUTTONS);

  function hold(button: HTMLElement) {
    const group = button.closest('[role="tablist"]') ?? button;
    held.delete(group);
    held.set(group, button);
  }

  root.addEventListener(
    "click",
    ({ target }) => {
      const button = (target as Element).closest<HTMLElement>(BUTTONS);
      if (button) hold(button);
    },
    { signal },
  );
  root.addEventListener(
    "keydown",
    (event) => {
      const list = (event.target as Element).closest('[role="tablist"]');
      const tabs = [...(list?.querySelectorAll<HTMLElement>('[role="tab"]') ?? [])];
      const to = tabOfKey(event, tabs.indexOf(event.target as HTMLElement), tabs.length);
      const tab = to === undefined ? undefined : tabs[to];
      if (!tab) return;
      event.preventDefault();
      tab.focus();
      hold(tab);
    },
    { signal },
  );
  root.addEventListener(
    TAKEN_OVER,
    () => {
      takenOver.abort();
      for (const button of held.values()) button.click();
    },
    { signal },
  );
  root.addEventListener(
    RENDERED,
    () => {
      if (!main || main.isConnected) return;
      // React rendered the page from the start: no button heard its press.
      const now = successors();
      for (const button of held.values()) if (!button.isConnected) now(button)?.click();
    },
    { once: true },
  );
}

/** Press what was held in `root`, which listens from now on. */
export function releasePresses(root: HTMLElement): void {
  root.dispatchEvent(new Event(TAKEN_OVER));
}

/** Enter what was entered early into the fields of `root`, which the app has rendered. */
export function enterEarlyInput(root: HTMLElement): void {
  root.dispatchEvent(new Event(RENDERED));
}
