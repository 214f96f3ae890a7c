/** The parts of an address on this site. */
export type Path = { pathname: string; search: string; hash: string };

/** Where a link leads: an address, or the parts of it that differ from the page it is on. */
export type To = string | Partial<Path>;

/** The names of the parameters in a pattern such as `/messages/:thread?`. */
type ParamNames<Pattern extends string> = Pattern extends `${infer Segment}/${infer Rest}`
  ? ParamNames<Segment> | ParamNames<Rest>
  : Pattern extends `:${infer Name}`
    ? Name
    : never;
type WithoutMark<Name extends string> = Name extends `${infer Optional}?` ? Optional : Name;

export type Params = Readonly<Record<string, string | undefined>>;

export function parsePath(text: string): Partial<Path> {
  const [, pathname, search, hash] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(text) ?? [];
  return { ...(pathname && { pathname }), ...(search && { search }), ...(hash && { hash }) };
}

export function createPath({ pathname = "/", search = "", hash = "" }: Partial<Path>): string {
  return pathname + withMark("?", search) + withMark("#", hash);
}

const withMark = (mark: string, text: string) =>
  text === "" || text === mark ? "" : text.startsWith(mark) ? text : mark + text;

/** Return the address to which a link leads from a page. Without a path it leads to another part of that page. */
export function resolvePath(to: To, from: string): Path {
  const { pathname, search = "", hash = "" } = typeof to === "string" ? parsePath(to) : to;
  return {
    // Two slashes at the beginning would lead to another host.
    pathname: pathname ? `/${pathname}`.replace(/[\\/]{2,}/g, "/") : from,
    search: withMark("?", search),
    hash: withMark("#", hash),
  };
}

/** Fill in the parameters of a pattern. Optional ones that are missing are left out. */
export function generatePath<Pattern extends string>(
  pattern: Pattern,
  params: Partial<Record<WithoutMark<ParamNames<Pattern>>, string | null>> = {},
): string {
  const values: Record<string, string | null | undefined> = params;
  const segments = pattern.split("/").flatMap((segment) => {
    const [, name, optional] = /^:([\w-]+)(\??)$/.exec(segment) ?? [];
    if (name === undefined) return segment;
    const value = values[name];
    if (value === undefined || value === null) {
      if (!optional) throw new Error(`Missing ":${name}" param`);
      return [];
    }
    return encodeURIComponent(value);
  });
  return segments.join("/") || "/";
}

type Matcher = { expression: RegExp; names: string[] };
const matchers = new Map<string, Matcher>();

function matcherOf(pattern: string, end: boolean): Matcher {
  const key = `${pattern} ${end}`;
  let matcher = matchers.get(key);
  if (!matcher) {
    const names: string[] = [];
    const source = pattern
      .replace(/^\/*|\/*$/g, "")
      .split("/")
      .filter((segment) => segment !== "")
      .map((segment) => {
        const [, name, optional] = /^:([\w-]+)(\??)$/.exec(segment) ?? [];
        if (name === undefined) return `/${segment.replace(/[\\.*+^${}|()[\]]/g, "\\$&")}`;
        names.push(name);
        return optional ? "(?:/([^/]*))?" : "/([^/]+)";
      })
      .join("");
    matcher = { expression: new RegExp(`^${source}${end ? "/*$" : "(?=/|$)"}`, "i"), names };
    matchers.set(key, matcher);
  }
  return matcher;
}

/** Return the segments of a path as they were before encoding. A slash within one stays encoded. */
function decodePath(pathname: string): string {
  try {
    return pathname
      .split("/")
      .map((segment) => decodeURIComponent(segment).replaceAll("/", "%2F"))
      .join("/");
  } catch {
    return pathname; // a malformed address, which no page has
  }
}

/** Return the parameters of a pattern in a decoded path, or null when it does not match. */
function paramsOf(pattern: string, decoded: string, end: boolean): Params | null {
  const { expression, names } = matcherOf(pattern, end);
  const found = expression.exec(decoded);
  if (!found) return null;
  return Object.fromEntries(names.map((name, at) => [name, found[at + 1]?.replaceAll("%2F", "/") || undefined]));
}

/** Match a path against a pattern; with `end: false` also paths below it. */
export function matchPath(pattern: string | { path: string; end?: boolean }, pathname: string): Params | null {
  const { path, end = true } = typeof pattern === "string" ? { path: pattern } : pattern;
  return paramsOf(path, pathname, end);
}

/** The pattern of the route that matches what no other does. */
const ANY = "*";

/** A pattern with more segments, and more that are no parameters, comes first. */
function rank(pattern: string): number {
  if (pattern === ANY) return -1;
  return pattern
    .split("/")
    .filter((segment) => segment !== "")
    .reduce((sum, segment) => sum + (segment.startsWith(":") ? 4 : 11), 0);
}

/** The route of a page, below the routes that frame it. */
export type Branch<Route> = { pattern: string; routes: readonly Route[] };

/** List the branches of a tree of routes, the most specific first. A route's path is a whole one, not a part. */
export function branchesOf<Route extends { path?: string; children?: Route[] }>(
  routes: readonly Route[],
  above: readonly Route[] = [],
): Branch<Route>[] {
  const branches = routes.flatMap((route): Branch<Route>[] => {
    const line = [...above, route];
    return [
      ...(route.path === undefined ? [] : [{ pattern: route.path, routes: line }]),
      ...branchesOf(route.children ?? [], line),
    ];
  });
  return above.length > 0 ? branches : branches.sort((one, other) => rank(other.pattern) - rank(one.pattern));
}

/** Return the first branch that matches a path, with its parameters. */
export function matchBranch<Route>(branches: readonly Branch<Route>[], pathname: string) {
  const decoded = decodePath(pathname);
  for (const branch of branches) {
    const params = branch.pattern === ANY ? {} : paramsOf(branch.pattern, decoded, true);
    if (params) return { branch, params, isAny: branch.pattern === ANY };
  }
  return null;
}
