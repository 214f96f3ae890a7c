import type { Service, Site } from "../site/types";
import { defaultServices, fallbackGuru, noStats } from "./fallback";
import { fetchHome, fetchPost, fetchPosts, fetchServices, type HomeAnswer } from "./fetch-guru";
import type { ShellState } from "./state";
import { guruSubdomain, mainOriginOf } from "./subdomain";

type Place = Pick<Location, "hostname" | "host" | "protocol" | "origin" | "pathname" | "replace" | "reload">;

/** Fills a page that came without data (SPEC 4 "Guru page": loaded, or the built-in guru after an error). */
export async function loadShell(page: string, place: Place): Promise<ShellState> {
  const subdomain = guruSubdomain(place.hostname);
  const mainOrigin = mainOriginOf(place, subdomain !== null);
  if (subdomain === null) return { kind: "no-guru", mainOrigin };

  const home = await fetchHome(subdomain);
  if (home.kind === "missing") {
    // A bare page is served while the API is away. It is back, and it alone knows whose a domain of their own is.
    if (!wasReloaded()) {
      place.reload();
      return { kind: "waiting" };
    }
    return { kind: "not-found", mainOrigin };
  }
  const guru = home.kind === "ok" ? home.value.guru : fallbackGuru(subdomain);
  const site: Site = { guru, origin: place.origin, mainOrigin, takesReports: true };
  const troubles = home.kind === "failed" ? [home.trouble] : [];
  return fill(page, place, site, home.kind === "ok" ? home.value : null, troubles);
}

async function fill(page: string, place: Place, site: Site, home: HomeAnswer | null, troubles: string[]): Promise<ShellState> {
  const services: Service[] = home?.services ?? defaultServices;
  const stats = home?.stats ?? noStats;
  const ready = (props: Record<string, unknown>, more: string[] = []): ShellState => ({
    kind: "ready",
    site,
    props: { site, ...props },
    troubles: [...troubles, ...more],
  });
  const parts = place.pathname.split("/").map(decode);

  if (page === "/") return ready({ featuredPosts: home?.featuredPosts ?? [], services, stats });
  if (page === "/about") return ready({ about: "", stats, services });
  if (page === "/contact") return ready({ services, form: null });
  if (page.startsWith("/report")) {
    const slug = page === "/report" ? null : (parts[3] ?? null);
    return ready({ about: { title: slug ?? site.guru.character, slug }, form: null });
  }
  if (page === "/services") {
    const answer = await fetchServices(site.guru.subdomain);
    if (answer.kind === "ok") return ready({ services: answer.value.services });
    return ready({ services }, answer.kind === "failed" ? [answer.trouble] : []);
  }
  if (page === "/blog/[slug]") {
    const answer = await fetchPost(site.guru.subdomain, parts[2] ?? "");
    if (answer.kind === "ok") return ready({ post: answer.value.post, related: answer.value.related });
    if (answer.kind === "missing") {
      // SPEC 2.4: unknown paths go to the home page.
      place.replace("/");
      return { kind: "waiting" };
    }
    return { kind: "trouble", site, troubles: [...troubles, answer.trouble] };
  }
  if (page.startsWith("/blog")) {
    const tag = page.startsWith("/blog/tag/") ? (parts[3] ?? null) : null;
    const cursor = page.endsWith("[cursor]") ? (parts.at(-1) ?? null) : null;
    const answer = await fetchPosts(site.guru.subdomain, tag, cursor);
    if (answer.kind !== "ok") {
      return { kind: "trouble", site, troubles: [...troubles, answer.kind === "failed" ? answer.trouble : "Failed to fetch posts"] };
    }
    const { posts, tags, nextCursor } = answer.value;
    return ready({ posts, tags, tag, olderCursor: nextCursor, newer: cursor !== null });
  }
  return ready({});
}

function wasReloaded(): boolean {
  const [entry] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  return entry?.type === "reload";
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
