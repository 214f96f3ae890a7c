import { useEffect, useRef, useState } from "react";
import { lastNumber } from "./conversation";
import type { Message } from "./types";

/** Return the sentence that screen readers say about messages that arrived after the thread was opened. */
export function useAnnouncement(messages: readonly Message[], from: string): string {
  const [text, setText] = useState("");
  const last = lastNumber(messages);
  const said = useRef<number | null>(null);
  useEffect(() => {
    const before = said.current;
    if (messages.length === 0 && before === null) return;
    said.current = last;
    if (before === null) return;
    const arrived = messages.filter(
      ({ kind, mine, removed, number }) => kind === "text" && !mine && !removed && number > before,
    );
    const [first] = arrived;
    if (first)
      setText(
        arrived.length === 1
          ? `${from}: ${first.body || "sent a file"}`
          : `${arrived.length} new messages from ${from}`,
      );
  }, [messages, last, from]);
  return text;
}
