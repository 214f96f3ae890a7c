/** Whether the server refused something because the user's email address is not verified. */
let isAsked = false;
const listeners = new Set<() => void>();

function publish(asked: boolean) {
  isAsked = asked;
  for (const notify of listeners) notify();
}

/** Show the sheet that asks to verify the email address. */
export function askToVerifyEmail() {
  publish(true);
}

export function closeVerifyEmailSheet() {
  publish(false);
}

export function subscribeVerifyEmailSheet(notify: () => void) {
  listeners.add(notify);
  return () => void listeners.delete(notify);
}

export function isVerifyEmailAsked() {
  return isAsked;
}
