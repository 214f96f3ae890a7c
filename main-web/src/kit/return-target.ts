/** Where a person goes after signing in: a path of this app, or an address that the browser leaves it for. */
export type ReturnTarget = { kind: "path"; to: string } | { kind: "url"; href: string };

/** Our server's way to a guru's own domain: it knows which are verified, and sends all others to the dashboard. */
const BY_OUR_SERVER = "/api/auth/pass?to=";

const UNSAFE = /[\p{Cc}\s\\]/u;
/** The same, written as a browser's address has it, in what comes before a query. */
const UNSAFE_ENCODED = /^[^?#]*%(?:[01][0-9a-f]|7f|5c)/i;

/**
 * Reads a return address that came from outside. This host and its direct subdomains (guru sites) are ours;
 * another host is for our server to judge, since it may be a guru's own; anything else is null. So a sign-in link can
 * never send someone to a stranger's page.
 * @param next a path or an absolute address, as given in the link
 * @param origin the origin of the main platform
 */
export function returnTarget(next: string | null | undefined, origin: string): ReturnTarget | null {
  if (!next || next.length > 2000 || UNSAFE.test(next) || UNSAFE_ENCODED.test(next)) return null;
  const home = new URL(origin);
  if (next.startsWith("/")) {
    if (next.startsWith("//")) return null;
    const url = URL.parse(next, home);
    return url?.origin === home.origin ? { kind: "path", to: url.pathname + url.search + url.hash } : null;
  }
  if (!/^https?:\/\//i.test(next)) return null;
  const url = URL.parse(next);
  if (!url || url.username || url.password) return null;
  if (url.origin === home.origin) return { kind: "path", to: url.pathname + url.search + url.hash };
  const base = home.hostname.replace(/^www\./, "");
  const label = url.hostname.endsWith(`.${base}`) ? url.hostname.slice(0, -base.length - 1) : null;
  if (url.protocol !== home.protocol || url.port !== home.port) return null;
  if (label === null) return isDomain(url.hostname) ? { kind: "url", href: BY_OUR_SERVER + encodeURIComponent(url.href) } : null;
  return /^[a-z0-9-]{1,63}$/.test(label) && !isAddress(base) ? { kind: "url", href: url.href } : null;
}

/** Two labels at least, the last no number; names in other scripts arrive encoded. */
function isDomain(host: string): boolean {
  return /^(?:[a-z0-9-]{1,63}\.)+[a-z][a-z0-9-]{0,62}$/.test(host);
}

function isAddress(host: string): boolean {
  return host.includes(":") || /^[\d.]+$/.test(host);
}
