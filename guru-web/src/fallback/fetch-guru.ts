import type { components } from "@porchlight/shared/api.gen";

import { api } from "../lib/api-client";
import { readTime } from "../lib/read-time";

export type FetchResult<T> = { kind: "ok"; value: T } | { kind: "not-found" } | { kind: "failed"; error: string };

type Schemas = components["schemas"];
export type HomeResponse = Schemas["HomeResponse"];
type PostsResponse = Schemas["PostsResponse"];
type PostPageResponse = Schemas["PostPageResponse"];
type SiteReviewsResponse = Schemas["SiteReviewsResponse"];
type ServicesResponse = Schemas["ServicesResponse"];

const TIMEOUT_MS = 8000;

/** SPEC 8.1 has one text for an error response and another for no response. */
export function fetchHome(subdomain: string): Promise<FetchResult<HomeResponse>> {
  const answer = api.GET("/gurus/{subdomain}/home", { params: { path: { subdomain } }, ...options() });
  return read(answer, "Failed to fetch guru data", "Failed to load guru data");
}

export function fetchPosts(
  subdomain: string,
  tag: string | null,
  cursor: string | null,
): Promise<FetchResult<PostsResponse>> {
  const params = { path: { subdomain }, query: { tag, cursor } };
  const answer = api.GET("/gurus/{subdomain}/posts", { params, ...options() });
  return read(answer, "Failed to fetch posts", "Failed to fetch posts");
}

export async function fetchPost(subdomain: string, slug: string): Promise<FetchResult<PostPageResponse>> {
  const answer = api.GET("/gurus/{subdomain}/posts/{slug}", { params: { path: { subdomain, slug } }, ...options() });
  const result = await read(answer, "Failed to fetch posts", "Failed to fetch posts");
  if (result.kind === "ok" && result.value.post.readTime === "")
    result.value.post.readTime = readTime(result.value.post.content);
  return result;
}

export function fetchServices(subdomain: string): Promise<FetchResult<ServicesResponse>> {
  const answer = api.GET("/gurus/{subdomain}/services", { params: { path: { subdomain } }, ...options() });
  return read(answer, "Failed to fetch services", "Failed to fetch services");
}

export function fetchReviews(subdomain: string, cursor: string | null): Promise<FetchResult<SiteReviewsResponse>> {
  const params = { path: { subdomain }, query: { cursor } };
  const answer = api.GET("/gurus/{subdomain}/reviews", { params, ...options() });
  return read(answer, "Failed to fetch reviews", "Failed to fetch reviews");
}

const options = () => ({ signal: AbortSignal.timeout(TIMEOUT_MS) });

async function read<T extends { success: boolean; message: string }>(
  answer: Promise<{ data?: T; response: Response }>,
  responseError: string,
  networkError: string,
): Promise<FetchResult<T>> {
  try {
    const { data, response } = await answer;
    if (response.status === 404) return { kind: "not-found" };
    if (!data) return { kind: "failed", error: responseError };
    return data.success ? { kind: "ok", value: data } : { kind: "failed", error: data.message || responseError };
  } catch {
    return { kind: "failed", error: networkError };
  }
}
