import { tabOfKey } from "./tab-keys";

/** The event with which the app takes over a prerendered page. */
const TAKEN_OVER = "porchlight:taken-over";
/** The event with which the app has rendered it, maybe with new elements. */
const REPLACED = "porchlight:replaced";
/** The event with which the app has taken it over: it knows what its fields show. */
const RENDERED = "porchlight:rendered";

const BUTTONS = 'button[type="button"]';
type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;
/** Returns the element that stands where another one stood, if the app has one of the same kind there. */
type Successor = <E extends HTMLElement>(early: E) => E | undefined;

/**
 * Hold what is pressed and entered in `root` before the app takes it over: buttons, tabs, fields and forms that only
 * the app can send. Links and forms with an address work without the app.
 */
export function holdInput(root: HTMLElement): void {
  const successor = rememberPlaces(root);
  holdPresses(root, successor);
  holdFocus(root, successor);
  holdFields(root, successor);
  // Last, so that a form is sent with what was entered.
  holdForms(root, successor);
}

/**
 * Remember where each element stands. Where the prerendered page differs from what React renders, React replaces the
 * elements: it does so on a page that a browser has translated.
 */
function rememberPlaces(root: HTMLElement): Successor {
  const find = () => [...root.querySelectorAll("a, button, form, input, select, textarea")];
  const before = find();
  const isSameKind = (one: Element, other: Element) =>
    one.localName === other.localName &&
    ["type", "name", "aria-label"].every((name) => one.getAttribute(name) === other.getAttribute(name));
  return <E extends HTMLElement>(early: E) => {
    if (early.isConnected) return early;
    const now = find()[before.indexOf(early)];
    return now && !before.includes(now) && isSameKind(now, early) ? (now as E) : undefined;
  };
}

/** Hold forms without an address: the browser would put what was entered, such as a password, into the page's own. */
function holdForms(root: HTMLElement, successor: Successor): void {
  let sent: HTMLFormElement | null = null;
  const hold = (event: Event) => {
    const form = event.target as HTMLFormElement;
    if (form.hasAttribute("action")) return;
    event.preventDefault();
    sent = form;
  };
  root.addEventListener("submit", hold);
  root.addEventListener(TAKEN_OVER, () => root.removeEventListener("submit", hold), { once: true });
  root.addEventListener(REPLACED, () => (sent = sent && (successor(sent) ?? null)), { once: true });
  root.addEventListener(RENDERED, () => sent?.requestSubmit(), { once: true });
}

/** Hold the focus: without it, what is typed goes nowhere. */
function holdFocus(root: HTMLElement, successor: Successor): void {
  let focused: HTMLElement | null = null;
  const replaced = new AbortController();
  const { signal } = replaced;
  root.addEventListener("focusin", ({ target }) => (focused = target as HTMLElement), { signal });
  // An element that React removes may say that it loses the focus: it keeps it until React is done.
  root.addEventListener(
    "focusout",
    ({ target }) =>
      queueMicrotask(() => {
        if (focused === target) focused = null;
      }),
    { signal },
  );
  root.addEventListener(
    REPLACED,
    () => {
      replaced.abort();
      if (focused && !focused.isConnected) successor(focused)?.focus({ preventScroll: true });
    },
    { once: true },
  );
}

/** Hold what is entered: React would take the fields back to what they were in the prerendered page. */
function holdFields(root: HTMLElement, successor: Successor): void {
  const entered = new Map<Field, string>();
  const hold = ({ target }: Event) => {
    const field = target as Field;
    entered.set(field, field.value);
  };
  root.addEventListener("input", hold);
  root.addEventListener(TAKEN_OVER, () => {
    // A browser that comes back to the page fills its fields without an event.
    for (const field of root.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>("input, textarea")) {
      if (field.value !== field.defaultValue) entered.set(field, field.value);
    }
  });
  root.addEventListener(
    REPLACED,
    () => {
      for (const [early, value] of [...entered]) {
        if (early.isConnected) continue;
        entered.delete(early);
        const field = successor(early);
        if (!field) continue;
        copyEntry(early, field);
        entered.set(field, value);
      }
    },
    { once: true },
  );
  root.addEventListener(
    RENDERED,
    () => {
      root.removeEventListener("input", hold);
      for (const [field, value] of entered) enterAgain(field, value);
    },
    { once: true },
  );
}

/** Show in `field` what was entered into `early`, with the caret, so that typing goes on. React does not notice yet. */
function copyEntry(early: Field, field: Field) {
  if (early instanceof HTMLInputElement && field instanceof HTMLInputElement) field.checked = early.checked;
  setValue(field, early.value);
  if ("selectionStart" in early && early.selectionStart !== null && "selectionStart" in field)
    field.setSelectionRange(early.selectionStart, early.selectionEnd);
}

/** Enter a value again, so that React notices: it compares with the last value that was set on the element itself. */
function enterAgain(field: Field, value: string) {
  if (field.type === "radio" || field.type === "checkbox") {
    const choice = field as HTMLInputElement;
    if (!choice.checked) return; // another one was chosen after it
    choice.checked = false;
    choice.click();
    return;
  }
  const isText = "selectionStart" in field;
  const { selectionStart: start = null, selectionEnd: end = null } = isText ? field : {};
  if (isText) field.value = "";
  setValue(field, value);
  if (isText && start !== null) field.setSelectionRange(start, end);
  field.dispatchEvent(new Event(isText ? "input" : "change", { bubbles: true }));
}

/** Set a value past React, which keeps a setter on the element itself. */
function setValue(field: Field, value: string) {
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field) as object, "value")?.set?.call(field, value);
}

/** Hold what is pressed. */
function holdPresses(root: HTMLElement, successor: Successor): void {
  // In order. An impatient second press of a menu button must not close the menu, and of tabs only the last counts.
  const held = new Map<Element, HTMLElement>();
  const takenOver = new AbortController();
  const { signal } = takenOver;
  const main = root.querySelector("main");

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
  let lost: HTMLElement[] = [];
  root.addEventListener(
    REPLACED,
    () => {
      // Where the page stayed, a button that is gone did what it was pressed for.
      if (main?.isConnected !== false) return;
      lost = [...held.values()].flatMap((button) => (button.isConnected ? [] : (successor(button) ?? [])));
    },
    { once: true },
  );
  root.addEventListener(RENDERED, () => lost.forEach((button) => button.click()), { once: true });
}

/** Press what was held in `root`, which listens from now on. */
export function releasePresses(root: HTMLElement): void {
  root.dispatchEvent(new Event(TAKEN_OVER));
}

/** Move what was entered early to the elements of `root` that the app has just put in the place of others. */
export function moveEarlyInput(root: HTMLElement): void {
  root.dispatchEvent(new Event(REPLACED));
}

/** Enter what was entered early into the fields of `root`, which the app has rendered. */
export function enterEarlyInput(root: HTMLElement): void {
  root.dispatchEvent(new Event(RENDERED));
}
