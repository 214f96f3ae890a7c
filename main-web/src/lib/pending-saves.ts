const underWay = new Set<Promise<unknown>>();

/** Track a save until it settles, so that later reads can wait for it. */
export function trackSave<T>(save: Promise<T>): Promise<T> {
  underWay.add(save);
  const over = () => underWay.delete(save);
  save.then(over, over);
  return save;
}

/** Wait until no save is running, whether it succeeded or failed. */
export async function waitForSaves(): Promise<void> {
  while (underWay.size > 0) await Promise.allSettled(underWay);
}
