import {
  Component,
  createContext,
  startTransition,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useState,
  useCallback,
  type ComponentProps,
  type Context,
  type ErrorInfo,
  type ReactNode,
} from "react";
import {
  createBrowserRouter,
  createMemoryRouter,
  type BlockerFunction,
  type NavigateOptions,
  type Router,
  type RouterState,
} from "./create-router";
import type { InitialEntry, Location } from "./history";
import { createPath, generatePath, matchPath, parsePath, resolvePath, type Path, type To } from "./paths";
import type { RouteObject } from "./route-loader";
import { useScrollRestoration } from "./use-scroll-restoration";

// The part of react-router-dom's interface that the app uses, at a fifth of its size: that library is for applications
// whose routes load and change data, which TanStack Query does here. `react-router-dom` is an alias of this module
// (vite.config.ts, tsconfig.json).
export { createBrowserRouter, createMemoryRouter, generatePath, matchPath, parsePath };
export type { InitialEntry, Location, NavigateOptions, Path, RouteObject, Router, To };

const RouterContext = createContext<Router | null>(null);
// Apart from each other, so that the start of a navigation renders nothing that only reads the address.
const StateContext = createContext<RouterState | null>(null);
const LocationContext = createContext<Location | null>(null);
const ParamsContext = createContext<RouterState["params"]>({});
/** What the routes below show. */
const OutletContext = createContext<ReactNode>(null);
const OutletValueContext = createContext<unknown>(undefined);
const ErrorContext = createContext<unknown>(undefined);

function useGiven<Value>(context: Context<Value | null>): Value {
  const value = useContext(context);
  if (value === null) throw new Error("RouterProvider is missing above");
  return value;
}

/** Show the router's pages. The page before stays until the next one is rendered. */
export function RouterProvider({ router }: { router: Router }) {
  const [state, setState] = useState(router.state);
  useLayoutEffect(() => {
    const show = (next: RouterState) => startTransition(() => setState(next));
    // What happened between the first render and this effect.
    show(router.state);
    return router.subscribe(show);
  }, [router]);
  const { routes, initialized, errors, location, params } = state;
  const shown = useMemo(
    () => shownRoutes({ routes, initialized, errors, location }),
    [routes, initialized, errors, location],
  );
  return (
    <RouterContext value={router}>
      <StateContext value={state}>
        <LocationContext value={location}>
          <ParamsContext value={params}>{shown}</ParamsContext>
        </LocationContext>
      </StateContext>
    </RouterContext>
  );
}

type Shown = Pick<RouterState, "routes" | "initialized" | "errors" | "location">;

function shownRoutes({ routes, initialized, errors, location }: Shown): ReactNode {
  if (!initialized) {
    const Fallback = routes.find((route) => route.HydrateFallback)?.HydrateFallback;
    return Fallback && <Fallback />;
  }
  // With an error, nothing below the route that shows it.
  const failed = errors ? routes.findIndex((route) => route === errors.route) : -1;
  const line = failed < 0 ? routes : routes.slice(0, failed + 1);
  return line.reduceRight<ReactNode>((below, route, at) => {
    const { Component: Page, element, errorElement } = route;
    if (at === failed) {
      return <ErrorContext value={errors?.reason}>{errorElement}</ErrorContext>;
    }
    const shown = <OutletContext value={below}>{Page ? <Page /> : (element ?? below)}</OutletContext>;
    if (errorElement === undefined) return shown;
    return (
      <ErrorBoundary location={location} fallback={errorElement}>
        {shown}
      </ErrorBoundary>
    );
  }, null);
}

type ErrorBoundaryProps = { location: Location; fallback: ReactNode; children: ReactNode };
type ErrorBoundaryState = { location: Location; caught: { reason: unknown } | null };

/** Shows a route's error page when rendering fails, until the person goes elsewhere. */
class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { location: this.props.location, caught: null };

  static getDerivedStateFromError(reason: unknown) {
    return { caught: { reason } };
  }

  static getDerivedStateFromProps({ location }: ErrorBoundaryProps, before: ErrorBoundaryState) {
    return location === before.location ? null : { location, caught: null };
  }

  override componentDidCatch(reason: unknown, { componentStack }: ErrorInfo) {
    console.error("A page could not be rendered.", reason, componentStack);
  }

  override render() {
    const { caught } = this.state;
    if (!caught) return this.props.children;
    return <ErrorContext value={caught.reason}>{this.props.fallback}</ErrorContext>;
  }
}

/** Show the routes below the one whose frame this is in. `context` is what `useOutletContext` returns there. */
export function Outlet({ context }: { context?: unknown }) {
  const below = useContext(OutletContext);
  return context === undefined ? below : <OutletValueContext value={context}>{below}</OutletValueContext>;
}

/** Return what the frame gave to the routes below it. */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- the frame and its pages agree on it.
export function useOutletContext<Value>(): Value {
  return useContext(OutletValueContext) as Value;
}

/** Return why the route could not be shown. */
export function useRouteError(): unknown {
  return useContext(ErrorContext);
}

export function useLocation(): Location {
  return useGiven(LocationContext);
}

export function useNavigation(): RouterState["navigation"] {
  return useGiven(StateContext).navigation;
}

/** Return the parameters of the address. */
export function useParams<Name extends string = string>(): Readonly<Partial<Record<Name, string>>> {
  return useContext(ParamsContext) as Readonly<Partial<Record<Name, string>>>;
}

/** Return the function that goes to another address, or as many entries of the history as a number says. */
export function useNavigate(): Router["navigate"] {
  return useGiven(RouterContext).navigate;
}

/** Go to another address as soon as this is shown. */
export function Navigate({ to, replace, state }: { to: To; replace?: boolean; state?: unknown }) {
  const navigate = useNavigate();
  const path = JSON.stringify(to);
  useEffect(() => {
    void navigate(JSON.parse(path) as To, { replace, state });
  }, [navigate, path, replace, state]);
  return null;
}

type SearchParams = string | string[][] | Record<string, string> | URLSearchParams;
type SetSearchParams = (
  next: SearchParams | ((before: URLSearchParams) => SearchParams),
  options?: NavigateOptions,
) => void;

/** Return the search parameters of the address, and the function that goes to the same page with others. */
export function useSearchParams(): [URLSearchParams, SetSearchParams] {
  const { search } = useLocation();
  const navigate = useNavigate();
  const params = useMemo(() => new URLSearchParams(search), [search]);
  const setParams = useCallback<SetSearchParams>(
    (next, options) => {
      const changed = typeof next === "function" ? next(new URLSearchParams(params)) : next;
      void navigate(`?${new URLSearchParams(changed).toString()}`, options);
    },
    [navigate, params],
  );
  return [params, setParams];
}

export type LinkProps = Omit<ComponentProps<"a">, "href"> & {
  to: To;
  replace?: boolean;
  state?: unknown;
  preventScrollReset?: boolean;
  /** Loads the page anew, as a link of a plain document does. */
  reloadDocument?: boolean;
};

/** Return the path of an address on this site, or null for another site. */
function ownPath(to: To): To | null {
  if (typeof to !== "string" || !/^(?:[a-z][a-z0-9+.-]*:|[\\/]{2})/i.test(to)) return to;
  if (!URL.canParse(to, window.location.href)) return null;
  const url = new URL(to, window.location.href);
  return url.origin === window.location.origin ? url.pathname + url.search + url.hash : null;
}

/** A link that shows the page without loading the document. */
export function Link({ to, replace, state, preventScrollReset, reloadDocument, onClick, target, ...rest }: LinkProps) {
  const navigate = useNavigate();
  const location = useLocation();
  const path = ownPath(to);
  const resolved = path === null ? null : createPath(resolvePath(path, location.pathname));
  return (
    // eslint-disable-next-line jsx-a11y/anchor-has-content -- its content is among the other properties.
    <a
      {...rest}
      target={target}
      href={resolved ?? (to as string)}
      onClick={(event) => {
        onClick?.(event);
        const { button, metaKey, altKey, ctrlKey, shiftKey } = event;
        const isPlain = button === 0 && !metaKey && !altKey && !ctrlKey && !shiftKey;
        if (event.defaultPrevented || resolved === null || reloadDocument || !isPlain) return;
        if (target && target !== "_self") return;
        event.preventDefault();
        // A link to the page that is shown adds no entry to the history.
        const isHere = resolved === createPath(location);
        void navigate(resolved, { replace: replace ?? isHere, state, preventScrollReset });
      }}
    />
  );
}

/** A link that names itself the current page on its address and, without `end`, on those below. */
export function NavLink({ end = false, ...link }: LinkProps & { end?: boolean }) {
  const { pathname } = useLocation();
  const at = resolvePath(link.to, pathname).pathname;
  const isCurrent = matchPath({ path: at, end: end || at === "/" }, pathname) !== null;
  return <Link aria-current={isCurrent ? "page" : undefined} {...link} />;
}

/** Keep a person on the page until they have decided, where `ask` returns true. */
export function useBlocker(ask: BlockerFunction) {
  const router = useGiven(RouterContext);
  const { blocked } = useGiven(StateContext);
  const [key] = useState(() => Symbol("blocker"));
  useEffect(() => router.block(key, ask), [router, key, ask]);
  return blocked?.key === key ? ({ state: "blocked", ...blocked } as const) : ({ state: "unblocked" } as const);
}

/** Scroll to the top of a new page, and to where a person was on one to which they return. */
export function ScrollRestoration() {
  useScrollRestoration(useGiven(RouterContext), useGiven(StateContext));
  return null;
}
