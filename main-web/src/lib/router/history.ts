import { createPath, type Path } from "./paths";

/** A place in the history: an address with what the page that led there gave along. */
export type Location<State = unknown> = Path & {
  state: State;
  /** Differs between visits of the same address. */
  key: string;
};

export type Action = "POP" | "PUSH" | "REPLACE";

/** What a person moved through with the browser's buttons; `delta` is unknown for entries of another script. */
type Moved = (location: Location, delta: number | null) => void;

export type History = {
  readonly location: Location;
  /** Return an address as the browser writes it. */
  encode: (path: Path) => Path;
  push: (location: Location) => void;
  replace: (location: Location) => void;
  go: (delta: number) => void;
  listen: (moved: Moved) => () => void;
};

/** The form in which react-router kept entries: those of an older release in this tab are still there. */
type Entry = { usr?: unknown; key?: string; idx?: number } | null;

export const createKey = () => Math.random().toString(36).slice(2, 10);

/** Create the history of the browser's tab. */
export function createBrowserHistory(): History {
  const entry = () => window.history.state as Entry;
  let index = entry()?.idx ?? 0;
  if (entry()?.idx === undefined) window.history.replaceState({ ...entry(), idx: index }, "");

  const read = (): Location => {
    const { pathname, search, hash } = window.location;
    return { pathname, search, hash, state: entry()?.usr ?? null, key: entry()?.key ?? "default" };
  };
  const write = ({ state, key }: Location): Entry => ({ usr: state, key, idx: index });

  return {
    get location() {
      return read();
    },
    encode: (path) => {
      const { pathname, search, hash } = new URL(createPath(path), window.location.origin);
      return { pathname, search, hash };
    },
    push: (location) => {
      index += 1;
      window.history.pushState(write(location), "", createPath(location));
    },
    replace: (location) => window.history.replaceState(write(location), "", createPath(location)),
    go: (delta) => window.history.go(delta),
    listen: (moved) => {
      const listen = () => {
        const next = entry()?.idx;
        const delta = next === undefined ? null : next - index;
        index = next ?? index;
        moved(read(), delta);
      };
      window.addEventListener("popstate", listen);
      return () => window.removeEventListener("popstate", listen);
    },
  };
}

export type InitialEntry = string | Partial<Location>;

/** Create a history that no browser has: for the build, which renders pages, and for tests. */
export function createMemoryHistory(first: Location): History {
  const entries = [first];
  let index = 0;
  let moved: Moved | null = null;
  const at = (place: number) => entries[place] ?? first;
  return {
    get location() {
      return at(index);
    },
    encode: (path) => {
      const { pathname, search, hash } = new URL(createPath(path), "http://localhost");
      return { pathname, search, hash };
    },
    push: (location) => {
      index += 1;
      entries.splice(index, entries.length, location);
    },
    replace: (location) => {
      entries[index] = location;
    },
    go: (delta) => {
      index = Math.min(Math.max(index + delta, 0), entries.length - 1);
      moved?.(at(index), delta);
    },
    listen: (listener) => {
      moved = listener;
      return () => {
        moved = null;
      };
    },
  };
}
