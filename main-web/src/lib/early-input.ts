import { tabOfKey } from "./tab-keys";

/** The event with which the app takes over a prerendered page. */
const TAKEN_OVER = "porchlight:taken-over";

/**
 * Hold what is pressed in `root` before the app takes it over. Only buttons and tabs need this: links and forms work
 * without the app, and fields keep what was typed.
 */
export function holdPresses(root: HTMLElement): void {
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
