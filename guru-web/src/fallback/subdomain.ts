/** SPEC 2.4: first labels that never name a guru. */
const reservedLabels = new Set(["www", "api", "admin", "staging", "dev", "test", "porchlight"]);

/** The guru subdomain of a host name ("cooking" for "cooking.porchlight.localhost"), or null. */
export function guruSubdomain(hostname: string): string | null {
  const labels = hostname.toLowerCase().replace(/\.$/, "").split(".");
  const first = labels[0] ?? "";
  const isIpAddress = /^[\d.]+$/.test(hostname) || hostname.includes(":");
  return labels.length < 2 || first === "" || isIpAddress || reservedLabels.has(first) ? null : first;
}

/** Origin of the main site: on a guru's host, the host without its first label. */
export function mainOriginOf(location: Pick<Location, "protocol" | "host">, isGuruHost: boolean): string {
  const host = isGuruHost ? location.host.slice(location.host.indexOf(".") + 1) : location.host;
  return `${location.protocol}//${host}`;
}
