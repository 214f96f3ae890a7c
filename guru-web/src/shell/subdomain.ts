/** SPEC 2.4: labels that are no guru. */
const reserved = new Set(["www", "api", "admin", "staging", "dev", "test", "porchlight"]);

/** The guru's label of a host name ("cooking" of "cooking.porchlight.localhost"), or null. */
export function guruSubdomain(hostname: string): string | null {
  const labels = hostname.toLowerCase().replace(/\.$/, "").split(".");
  const first = labels[0] ?? "";
  const isAddress = /^[\d.]+$/.test(hostname) || hostname.includes(":");
  return labels.length < 2 || first === "" || isAddress || reserved.has(first) ? null : first;
}

/** Where the main platform is, seen from a guru's host: the host without its first label. */
export function mainOriginOf(location: Pick<Location, "protocol" | "host">, onGuruHost: boolean): string {
  const host = onGuruHost ? location.host.slice(location.host.indexOf(".") + 1) : location.host;
  return `${location.protocol}//${host}`;
}
