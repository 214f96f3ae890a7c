export type ToastTone = "success" | "error" | "info";
/** What a toast offers to do, such as to undo what it tells. */
export type ToastAction = { label: string; run: () => void };
export type ToastItem = { id: number; tone: ToastTone; text: string; action: ToastAction | undefined };

/** More toasts would cover the page; the oldest are dropped. */
const MAX_TOASTS = 4;

let items: readonly ToastItem[] = [];
let next = 1;
const listeners = new Set<() => void>();

function publish(changed: readonly ToastItem[]) {
  items = changed;
  for (const notify of listeners) notify();
}

function add(tone: ToastTone, text: string, action?: ToastAction) {
  // A repeated message replaces the visible one and stays for its full time, so that a second failure is noticed.
  const others = items.filter((item) => item.text !== text || item.tone !== tone);
  publish([...others, { id: next++, tone, text, action }].slice(-MAX_TOASTS));
}

/** Short messages in the corner of the screen, 4 seconds each (SPEC 2.1); with an action longer, to reach it. */
export const toast = {
  success: (text: string, action?: ToastAction) => add("success", text, action),
  error: (text: string) => add("error", text),
  info: (text: string) => add("info", text),
};

export function dismissToast(id: number) {
  publish(items.filter((item) => item.id !== id));
}

export function subscribeToasts(notify: () => void) {
  listeners.add(notify);
  return () => void listeners.delete(notify);
}

export function currentToasts() {
  return items;
}
