import { useLayoutEffect, useRef, useState } from "react";

/** Within this many pixels of an end, the reader is at it. */
const NEAR_BOTTOM = 64;
const NEAR_TOP = 160;
/** The space above the line "New messages" when a conversation opens there. */
const LINE_OFFSET = 24;

type Options = {
  firstId: string | undefined;
  /** The number of the newest text. */
  last: number;
  lastIsMine: boolean;
  pendingCount: number;
  loadEarlier: () => void;
};

/**
 * Keep the place of a conversation: at the newest message while the reader is there, otherwise where they read, also
 * when earlier messages are added above. `missed` counts the messages that arrived below.
 */
export function useConversationScroll({ firstId, last, lastIsMine, pendingCount, loadEarlier }: Options) {
  const box = useRef<HTMLDivElement>(null);
  const isAtBottom = useRef(true);
  const before = useRef({ firstId, last, pendingCount, height: 0 });
  const [seen, setSeen] = useState(last);

  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const { firstId: oldFirst, last: oldLast, pendingCount: oldPending, height } = before.current;
    const hasSent = pendingCount > oldPending || (last > oldLast && lastIsMine);
    const line = height === 0 ? element.querySelector<HTMLElement>("[data-unread]") : null;
    if (line && line.offsetTop + LINE_OFFSET < element.scrollHeight - element.clientHeight) {
      // More is new than fits: the reader begins where it starts.
      element.scrollTop = line.offsetTop - LINE_OFFSET;
      isAtBottom.current = false;
    } else if (isAtBottom.current || hasSent) {
      element.scrollTop = element.scrollHeight;
      isAtBottom.current = true;
      setSeen(last);
    } else if (firstId !== oldFirst) {
      element.scrollTop += element.scrollHeight - height;
    }
    before.current = { firstId, last, pendingCount, height: element.scrollHeight };
  }, [firstId, last, lastIsMine, pendingCount]);

  useLayoutEffect(() => {
    const element = box.current;
    if (!element || typeof ResizeObserver === "undefined") return;
    // The window, the composer or a picture changes its size.
    const observer = new ResizeObserver(() => {
      if (isAtBottom.current) element.scrollTop = element.scrollHeight;
      before.current.height = element.scrollHeight;
    });
    observer.observe(element);
    if (element.firstElementChild) observer.observe(element.firstElementChild);
    return () => observer.disconnect();
  }, []);

  function handleScroll() {
    const element = box.current;
    if (!element) return;
    isAtBottom.current = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_BOTTOM;
    if (isAtBottom.current) setSeen(last);
    if (element.scrollTop < NEAR_TOP) loadEarlier();
  }

  function toNewest() {
    const element = box.current;
    if (!element) return;
    isAtBottom.current = true;
    element.scrollTop = element.scrollHeight;
    setSeen(last);
  }

  return { box, missed: Math.max(0, last - seen), toNewest, handleScroll };
}
