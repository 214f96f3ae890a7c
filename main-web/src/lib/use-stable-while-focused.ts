import { useState } from "react";

/**
 * Keep a default that arrives late out of a field that has the focus: it would mix with what a person types. `shown` is
 * the value until the person types. The newest one shows after the focus, and after `release`.
 */
export function useStableWhileFocused<T>(value: T) {
  const [held, setHeld] = useState<{ value: T } | null>(null);
  const release = () => setHeld(null);
  const handlers = { onFocus: () => setHeld((current) => current ?? { value }), onBlur: release };
  return { shown: held === null ? value : held.value, handlers, release };
}
