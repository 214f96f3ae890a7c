import { useEffect, useState } from "react";

const SECOND_MS = 1000;

/** Count the whole seconds until a time of this browser's clock, in milliseconds; 0 once it has passed. */
export function useSecondsLeft(deadline: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, Math.ceil((deadline - now) / SECOND_MS));
}

/** Tell whether a time of this browser's clock has passed; null never has. */
export function useHasPassed(deadline: number | null): boolean {
  const [passed, setPassed] = useState(() => (deadline !== null && deadline <= Date.now() ? deadline : null));
  useEffect(() => {
    if (deadline === null) return;
    const timer = setTimeout(() => setPassed(deadline), Math.max(0, deadline - Date.now()));
    return () => clearTimeout(timer);
  }, [deadline]);
  return deadline !== null && passed === deadline;
}
