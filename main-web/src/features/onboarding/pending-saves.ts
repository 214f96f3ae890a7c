const underWay = new Set<Promise<unknown>>();

/** Remembers a save until it is over, so that what is read next has it. */
export function tracked<T>(save: Promise<T>): Promise<T> {
  underWay.add(save);
  const over = () => underWay.delete(save);
  save.then(over, over);
  return save;
}

/** Resolves once no save is under way, whatever became of it. */
export async function savesSettled(): Promise<void> {
  while (underWay.size > 0) await Promise.allSettled(underWay);
}
