/** The page to open after signing in: a path of this app, or a URL to navigate to. */
export type ReturnTarget = { kind: "path"; to: string } | { kind: "url"; href: string };

/** The API endpoint that redirects to verified custom domains, and to the dashboard otherwise. */
const SERVER_REDIRECT = "/api/auth/pass?to=";

const UNSAFE = /[\p{Cc}\s\\]/u;
/** Characters unsafe in a path, percent-encoded. */
const UNSAFE_ENCODED = /^[^?#]*%(?:[01][0-9a-f]|7f|5c)/i;

/**
 * Validate a return address from a link. This host and its direct subdomains (guru sites) are allowed; the server
 * checks other hosts, which may be custom domains of gurus; anything else is null. So a sign-in link cannot redirect
 * to a foreign site.
 * @param next a path or an absolute URL, as given in the link
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
  if (label === null)
    return isDomain(url.hostname) ? { kind: "url", href: SERVER_REDIRECT + encodeURIComponent(url.href) } : null;
  return /^[a-z0-9-]{1,63}$/.test(label) && !isAddress(base) ? { kind: "url", href: url.href } : null;
}

/** Tell whether a host has at least two labels, the last not a number; names in other scripts are already encoded. */
function isDomain(host: string): boolean {
  return /^(?:[a-z0-9-]{1,63}\.)+[a-z][a-z0-9-]{0,62}$/.test(host);
}

function isAddress(host: string): boolean {
  return host.includes(":") || /^[\d.]+$/.test(host);
}
