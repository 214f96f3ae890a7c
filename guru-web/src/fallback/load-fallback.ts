import type { Service, Site } from "../lib/types";
import { defaultServices, emptyStats, fallbackGuru, noFacts, noPictures, noReviews } from "./default-content";
import { fetchHome, fetchPost, fetchPosts, fetchReviews, fetchServices, type HomeResponse } from "./fetch-guru";
import type { FallbackState } from "./state";
import { guruSubdomain, mainOriginOf } from "./subdomain";

/** SPEC 4 shows built-in services after an error; their prices are not this guru's. */
const EXAMPLES = "The services and prices below are examples, not this guru's own.";

type BrowserLocation = Pick<Location, "hostname" | "host" | "protocol" | "origin" | "pathname" | "replace" | "reload">;

/** Load the data of a page served without it. After an error the built-in guru is used (SPEC 4, "Guru page"). */
export async function loadFallback(page: string, location: BrowserLocation): Promise<FallbackState> {
  const subdomain = guruSubdomain(location.hostname);
  const mainOrigin = mainOriginOf(location, subdomain !== null);
  if (subdomain === null) return { kind: "no-guru", mainOrigin };

  const home = await fetchHome(subdomain);
  if (home.kind === "not-found") {
    // A page without data means that the API was down. Now it responds, and only the API can map a custom domain to its
    // guru, so one reload gets the full page.
    if (!wasReloaded()) {
      location.reload();
      return { kind: "loading" };
    }
    return { kind: "not-found", mainOrigin };
  }
  const guru = home.kind === "ok" ? home.value.guru : fallbackGuru(subdomain);
  const site: Site = {
    guru,
    origin: location.origin,
    mainOrigin,
    returnOrigin: mainOrigin,
    takesReports: true,
    takesBookings: true,
    takesMessages: true,
    showsReviews: true,
    hasPosts: true,
  };
  const errors = home.kind === "failed" ? [home.error] : [];
  return loadPage(page, location, site, home.kind === "ok" ? home.value : null, errors);
}

async function loadPage(
  page: string,
  location: BrowserLocation,
  site: Site,
  home: HomeResponse | null,
  errors: string[],
): Promise<FallbackState> {
  const services: Service[] = home?.services ?? defaultServices;
  const gallery = home?.gallery ?? noPictures;
  const stats = home?.stats ?? emptyStats;
  const facts = home?.facts ?? noFacts;
  const reviews = home?.reviews ?? noReviews;
  const ready = (props: Record<string, unknown>, pageErrors: string[] = []): FallbackState => ({
    kind: "ready",
    site,
    props: { site, ...props },
    errors: [...errors, ...pageErrors],
  });
  const segments = location.pathname.split("/").map(decode);

  const examples = home === null ? [EXAMPLES] : [];
  if (page === "/")
    return ready({ featuredPosts: home?.featuredPosts ?? [], gallery, services, stats, facts, reviews }, examples);
  if (page === "/about") return ready({ about: "", gallery, stats, facts, services });
  if (page === "/contact") return ready({ services, form: null });
  if (page.startsWith("/report")) {
    const slug = page === "/report" ? null : (segments[3] ?? null);
    return ready({ about: { title: slug ?? site.guru.character, slug }, form: null });
  }
  if (page === "/services") {
    const result = await fetchServices(site.guru.subdomain);
    if (result.kind === "ok") return ready({ services: result.value.services, reviews });
    return ready({ services, reviews }, [...(result.kind === "failed" ? [result.error] : []), ...examples]);
  }
  if (page.startsWith("/reviews")) {
    const cursor = page.endsWith("[cursor]") ? (segments.at(-1) ?? null) : null;
    const result = await fetchReviews(site.guru.subdomain, cursor);
    if (result.kind === "not-found") {
      // The guru shows no reviews.
      location.replace("/");
      return { kind: "loading" };
    }
    if (result.kind === "failed") return { kind: "failed", site, errors: [...errors, result.error] };
    const { rating, counts, services: rated, reviews: found, nextCursor } = result.value;
    return ready({ rating, counts, services: rated, reviews: found, olderCursor: nextCursor, newer: cursor !== null });
  }
  // Without the API nothing can be booked.
  if (page === "/services/[service]/times") {
    return { kind: "failed", site, errors: [...errors, "We couldn't load the times"] };
  }
  if (page === "/blog/[slug]") {
    const result = await fetchPost(site.guru.subdomain, segments[2] ?? "");
    if (result.kind === "ok") return ready({ post: result.value.post, related: result.value.related });
    if (result.kind === "not-found") {
      // SPEC 2.4: unknown paths redirect to the home page.
      location.replace("/");
      return { kind: "loading" };
    }
    return { kind: "failed", site, errors: [...errors, result.error] };
  }
  if (page.startsWith("/blog")) {
    const tag = page.startsWith("/blog/tag/") ? (segments[3] ?? null) : null;
    const cursor = page.endsWith("[cursor]") ? (segments.at(-1) ?? null) : null;
    const result = await fetchPosts(site.guru.subdomain, tag, cursor);
    if (result.kind !== "ok") {
      return {
        kind: "failed",
        site,
        errors: [...errors, result.kind === "failed" ? result.error : "Failed to fetch posts"],
      };
    }
    const { posts, tags, nextCursor } = result.value;
    return ready({ posts, tags, tag, olderCursor: nextCursor, newer: cursor !== null });
  }
  return ready({});
}

function wasReloaded(): boolean {
  const [entry] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  return entry?.type === "reload";
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
