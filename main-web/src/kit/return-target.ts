/** Where a person goes after signing in: a path of this app, or an address on a guru's host. */
export type ReturnTarget = { kind: "path"; to: string } | { kind: "url"; href: string };

const UNSAFE = /[\p{Cc}\s\\]/u;

/**
 * Reads a return address that came from outside. Only this host and its direct subdomains (guru sites) are ours;
 * anything else is null, so that a sign-in link can never send someone to a stranger's page.
 * @param next a path or an absolute address, as given in the link
 * @param origin the origin of the main platform
 */
export function returnTarget(next: string | null | undefined, origin: string): ReturnTarget | null {
  if (!next || next.length > 2000 || UNSAFE.test(next)) return null;
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
  const ours = label !== null && /^[a-z0-9-]{1,63}$/.test(label) && !isAddress(base);
  return ours && url.protocol === home.protocol && url.port === home.port ? { kind: "url", href: url.href } : null;
}

function isAddress(host: string): boolean {
  return host.includes(":") || /^[\d.]+$/.test(host);
}
