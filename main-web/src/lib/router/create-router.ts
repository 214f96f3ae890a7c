import {
  createBrowserHistory,
  createKey,
  createMemoryHistory,
  type Action,
  type History,
  type InitialEntry,
  type Location,
} from "./history";
import { parsePath, resolvePath, type Params, type To } from "./paths";
import { createRouteLoader, type LoadedPage, type PageError, type RouteObject } from "./route-loader";

export type NavigateOptions = {
  replace?: boolean | undefined;
  state?: unknown;
  /** Leaves the page scrolled as it is. */
  preventScrollReset?: boolean | undefined;
};

export type RouterState = {
  location: Location;
  /** The routes that are shown, the outermost first. */
  routes: readonly RouteObject[];
  params: Params;
  /** Whether the first page is loaded. */
  initialized: boolean;
  /** Where the router is going to, while the page there loads. */
  navigation: { state: "idle"; location?: undefined } | { state: "loading"; location: Location };
  /** Why a page could not be loaded, and the route whose error is shown. */
  errors: PageError | null;
  /** Where to scroll to; null for the top. False leaves the page as it is. */
  scroll: number | null | false;
  blocked: Blocked | null;
};

/** A navigation that waits for a person's decision. */
export type Blocked = { key: symbol; proceed: () => void; reset: () => void };
export type BlockerFunction = (places: { currentLocation: Location; nextLocation: Location }) => boolean;

export type Router = ReturnType<typeof createRouter>;

/** Create a router of the browser's address. */
export const createBrowserRouter = (routes: RouteObject[]) => createRouter(routes, createBrowserHistory());

/** Create a router that starts at an address and leaves the browser's as it is. */
export function createMemoryRouter(routes: RouteObject[], { initialEntries }: { initialEntries: [InitialEntry] }) {
  const [entry] = initialEntries;
  const at: Partial<Location> = typeof entry === "string" ? parsePath(entry) : entry;
  const { state = null, key = "default", ...path } = at;
  return createRouter(routes, createMemoryHistory({ ...resolvePath(path, "/"), state, key }));
}

function createRouter(routes: RouteObject[], history: History) {
  const { find, load, shown } = createRouteLoader(routes);
  const listeners = new Set<(state: RouterState) => void>();
  const blockers = new Map<symbol, BlockerFunction>();
  let positions: Record<string, number> | null = null;
  /** Counts navigations: a later one replaces those that still load. */
  let current = 0;
  let moved: (() => void) | null = null;

  let state: RouterState = start(find(history.location));

  function start({ line, params, waiting }: ReturnType<typeof find>): RouterState {
    const initialized = waiting.length === 0;
    const navigation = { state: "idle" } as const;
    const { location } = history;
    return { location, routes: line, params, initialized, navigation, errors: null, scroll: null, blocked: null };
  }

  function update(change: Partial<RouterState>) {
    state = { ...state, ...change };
    for (const notify of [...listeners]) notify(state);
  }

  async function go(action: Action, location: Location, keepsScroll = false) {
    const own = ++current;
    if (positions && state.initialized) positions[state.location.key] = window.scrollY;
    const { line, params, waiting } = find(location);
    let page: LoadedPage = { routes: shown(line), params, errors: null };
    if (waiting.length > 0) {
      if (state.initialized) update({ navigation: { state: "loading", location } });
      page = await load(location);
      if (own !== current) return;
    }
    if (action === "PUSH") history.push(location);
    else if (action === "REPLACE") history.replace(location);
    const scroll = positions?.[location.key] ?? (keepsScroll ? false : null);
    update({ ...page, location, initialized: true, navigation: { state: "idle" }, scroll, blocked: null });
    moved?.();
    moved = null;
  }

  /** Ask the page's blocker. Return whether the navigation has to wait for a decision. */
  function isBlocked(nextLocation: Location, proceed: () => void): boolean {
    const [key, ask] = [...blockers].at(-1) ?? [];
    if (!key || !ask?.({ currentLocation: state.location, nextLocation })) return false;
    const reset = () => update({ blocked: null });
    update({
      blocked: {
        key,
        reset,
        proceed: () => {
          reset();
          proceed();
        },
      },
    });
    return true;
  }

  let isDecided = false;
  let cameBack: (() => void) | null = null;
  const stop = history.listen((location, delta) => {
    if (cameBack) {
      cameBack();
      cameBack = null;
      return;
    }
    // The browser has moved already: it goes back until the person has decided.
    const back = new Promise<void>((resolve) => (cameBack = resolve));
    const proceed = () => {
      isDecided = true;
      void back.then(() => history.go(delta ?? 0));
    };
    if (delta !== null && !isDecided && isBlocked(location, proceed)) {
      history.go(-delta);
      return;
    }
    cameBack = null;
    isDecided = false;
    void go("POP", location);
  });

  async function navigate(to: To | number, options: NavigateOptions = {}): Promise<void> {
    if (typeof to === "number") {
      const arrived = new Promise<void>((resolve) => (moved = resolve));
      history.go(to);
      return arrived;
    }
    const path = history.encode(resolvePath(to, state.location.pathname));
    const location: Location = { ...path, state: options.state ?? null, key: createKey() };
    const proceed = () => go(options.replace ? "REPLACE" : "PUSH", location, options.preventScrollReset);
    if (!isBlocked(location, () => void proceed())) await proceed();
  }

  if (!state.initialized) void go("POP", state.location);

  return {
    get state() {
      return state;
    },
    navigate,
    subscribe: (notify: (state: RouterState) => void) => {
      listeners.add(notify);
      return () => void listeners.delete(notify);
    },
    /** Ask before the page is left. Of several, the one that was added last is asked. */
    block: (key: symbol, ask: BlockerFunction) => {
      blockers.set(key, ask);
      return () => void blockers.delete(key);
    },
    /** Keep the scroll positions of locations by their key in `kept`. */
    keepScroll: (kept: Record<string, number>) => {
      positions = kept;
      const scroll = kept[state.location.key];
      if (scroll !== undefined) update({ scroll });
      return () => {
        positions = null;
      };
    },
    dispose: () => {
      stop();
      current += 1;
      listeners.clear();
    },
  };
}
