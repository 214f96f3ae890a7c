import { keptMemory as memory } from "./kept-memory";

/**
 * Data that pages keep in the browser to work without a connection: passes, the roster of a guru and the last answers
 * of some pages. Keys begin with what it is and whose. Signing out deletes all of it (`session-storage`).
 *
 * Where the browser has no database or refuses it, the data lasts as long as the page.
 */
const DATABASE = "porchlight";
const STORE = "kept";

function request<T>(made: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    made.onsuccess = () => resolve(made.result);
    made.onerror = () => reject(made.error ?? new Error("The browser's database failed."));
  });
}

async function withStore<T>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const opening = indexedDB.open(DATABASE, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
  const database = await request(opening);
  // Signing out deletes the database, which waits for open connections.
  try {
    return await request(work(database.transaction(STORE, mode).objectStore(STORE)));
  } finally {
    database.close();
  }
}

const isBelow = (prefix: string) => IDBKeyRange.bound(prefix, `${prefix}\uffff`);

/**
 * Keep a value that can be cloned.
 * @returns whether it is there after the page is closed
 */
export async function keepData(key: string, value: unknown): Promise<boolean> {
  try {
    await withStore("readwrite", (store) => store.put(value, key));
    memory.delete(key);
    return true;
  } catch {
    memory.set(key, value);
    return false;
  }
}

/** Return the values whose keys begin with a text, in the order of their keys. The caller knows what it kept there. */
export async function keptData(prefix: string): Promise<unknown[]> {
  const keys = [...memory.keys()].filter((key) => key.startsWith(prefix)).sort();
  const found = keys.map((key) => memory.get(key));
  try {
    return [...(await withStore<unknown[]>("readonly", (store) => store.getAll(isBelow(prefix)))), ...found];
  } catch {
    return found;
  }
}

/** Forget the values whose keys begin with a text. */
export async function forgetData(prefix: string): Promise<void> {
  for (const key of memory.keys()) if (key.startsWith(prefix)) memory.delete(key);
  await withStore("readwrite", (store) => store.delete(isBelow(prefix))).catch(() => undefined);
}
