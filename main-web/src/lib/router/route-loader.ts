import type { ComponentType, ReactNode } from "react";
import type { Location } from "./history";
import { branchesOf, matchBranch, type Params } from "./paths";

/** What a route shows: the page, or a frame with an `<Outlet />` for the routes below. */
type Shown = { element?: ReactNode; Component?: ComponentType };

export type RouteObject = Shown & {
  /** The whole path with its parameters (`config/paths`), or `*` for all that no other route has. */
  path?: string;
  /** Shown in place of this route and those below when one of them fails. */
  errorElement?: ReactNode;
  /** Shown until the first page is loaded. */
  HydrateFallback?: ComponentType;
  /** Loads what the route shows. */
  lazy?: () => Promise<Shown>;
  /** Loads the routes below, once an address is none of those that are known. */
  lazyChildren?: () => Promise<RouteObject[]>;
  children?: RouteObject[];
};

/** Why a page could not be loaded, and the route whose error is shown. */
export type PageError = { route: RouteObject | undefined; reason: unknown };

/** The routes that an address shows, the outermost first. */
export type LoadedPage = { routes: readonly RouteObject[]; params: Params; errors: PageError | null };

/** Create what finds the routes of an address and loads what they show. */
export function createRouteLoader(routes: RouteObject[]) {
  /** What routes with parts to load became. One that failed to load is not among them: the next visit tries again. */
  const loaded = new Map<RouteObject, RouteObject>();
  let branches = branchesOf(routes);

  /** Return the routes of an address, and what has to be loaded before they are shown. */
  function find({ pathname }: Location) {
    const match = matchBranch(branches, pathname);
    const line = match?.branch.routes ?? [];
    const unknown = match && !match.isAny ? [] : allOf(routes).filter((route) => route.lazyChildren);
    const waiting = [...line.filter((route) => route.lazy), ...unknown].filter((route) => !loaded.has(route));
    return { line, params: match?.params ?? {}, waiting };
  }
  const shown = (line: readonly RouteObject[]) => line.map((route) => loaded.get(route) ?? route);

  async function loadRoute(route: RouteObject) {
    const children = await route.lazyChildren?.();
    loaded.set(route, { ...route, ...(await route.lazy?.()) });
    if (!children) return;
    route.children = children;
    branches = branchesOf(routes);
  }

  /** Load what an address shows. */
  async function load(location: Location): Promise<LoadedPage> {
    for (;;) {
      const { line, params, waiting } = find(location);
      if (waiting.length === 0) return { routes: shown(line), params, errors: null };
      const results = await Promise.allSettled(waiting.map((route) => loadRoute(route)));
      const at = results.findIndex(({ status }) => status === "rejected");
      const failed = results[at];
      if (failed?.status !== "rejected") continue;
      const missing = waiting[at];
      const end = missing ? line.indexOf(missing) : -1;
      const framing = line.slice(0, end < 0 ? undefined : end + 1).filter((route) => route.errorElement !== undefined);
      const errors = { route: framing.at(-1) ?? line[0], reason: failed.reason as unknown };
      return { routes: shown(line), params, errors };
    }
  }

  return { find, load, shown };
}

function allOf(routes: readonly RouteObject[]): RouteObject[] {
  return routes.flatMap((route) => [route, ...allOf(route.children ?? [])]);
}
