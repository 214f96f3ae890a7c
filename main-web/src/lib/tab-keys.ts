type Key = Pick<KeyboardEvent, "key" | "altKey" | "ctrlKey" | "metaKey" | "shiftKey">;

/** Return the index of the tab, of `count`, that a key moves to from tab `at`; undefined for other keys. */
export function tabOfKey(event: Key, at: number, count: number): number | undefined {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return undefined;
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: count - 1 }[event.key];
  return to === undefined ? undefined : (to + count) % count;
}
