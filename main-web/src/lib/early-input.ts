import { tabOfKey } from "./tab-keys";

/** The event with which the app takes over a prerendered page. */
const TAKEN_OVER = "porchlight:taken-over";
/** The event with which the app has taken it over: it knows what its fields show. */
const RENDERED = "porchlight:rendered";

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
  const hold = (event: Event) => {
    const form = event.target as HTMLFormElement;
    if (form.hasAttribute("action")) return;
    event.preventDefault();
    sent = form;
  };
  root.addEventListener("submit", hold);
  root.addEventListener(TAKEN_OVER, () => root.removeEventListener("submit", hold), { once: true });
  root.addEventListener(RENDERED, () => sent?.requestSubmit(), { once: true });
}

/** Hold what is entered: React would take the fields back to what they were in the prerendered page. */
function holdFields(root: HTMLElement): void {
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
    RENDERED,
    () => {
      root.removeEventListener("input", hold);
      for (const [field, value] of entered) enterAgain(field, value);
    },
    { once: true },
  );
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

  function hold(button: HTMLElement) {
    const group = button.closest('[role="tablist"]') ?? button;
    held.delete(group);
    held.set(group, button);
  }

  root.addEventListener(
    "click",
    ({ target }) => {
      const button = (target as Element).closest<HTMLElement>('button[type="button"]');
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
}

/** Press what was held in `root`, which listens from now on. */
export function releasePresses(root: HTMLElement): void {
  root.dispatchEvent(new Event(TAKEN_OVER));
}

/** Enter what was entered early into the fields of `root`, which the app has rendered. */
export function enterEarlyInput(root: HTMLElement): void {
  root.dispatchEvent(new Event(RENDERED));
}
