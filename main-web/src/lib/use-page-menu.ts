import { useEffect, useRef, useState } from "react";
import { useLocation } from "react-router-dom";

/** A menu of links that a button opens. Escape closes it and returns focus to the button; navigating closes it too. */
export function usePageMenu() {
  const { pathname } = useLocation();
  // The page on which the menu was opened.
  const [openOn, setOpenOn] = useState<string | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const open = openOn === pathname;

  useEffect(() => {
    if (!open) return;
    const close = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      setOpenOn(null);
      button.current?.focus();
    };
    window.addEventListener("keydown", close);
    return () => window.removeEventListener("keydown", close);
  }, [open]);

  return { open, button, flip: () => setOpenOn(open ? null : pathname) };
}
