import { readTime } from "../lib/read-time";
import type { Facts, Guru, Post, PostCard, Service, Stats, TagCount } from "../lib/types";

export type FetchResult<T> = { kind: "ok"; value: T } | { kind: "not-found" } | { kind: "failed"; error: string };

interface ApiResponse {
  success: boolean;
  message?: string;
}

export interface HomeResponse extends ApiResponse {
  guru: Guru;
  featuredPosts: PostCard[];
  services: Service[];
  stats: Stats;
  facts: Facts;
}

export interface PostsResponse extends ApiResponse {
  posts: PostCard[];
  nextCursor: string | null;
  tags: TagCount[];
}

export interface PostResponse extends ApiResponse {
  post: Post;
  related: PostCard[];
}

export interface ServicesResponse extends ApiResponse {
  services: Service[];
}

const TIMEOUT_MS = 8000;

/** SPEC 8.1 has one text for an error response and another for no response. */
export function fetchHome(subdomain: string): Promise<FetchResult<HomeResponse>> {
  return fetchJson<HomeResponse>(apiPath(subdomain, "home"), "Failed to fetch guru data", "Failed to load guru data");
}

export function fetchPosts(
  subdomain: string,
  tag: string | null,
  cursor: string | null,
): Promise<FetchResult<PostsResponse>> {
  const query = new URLSearchParams();
  if (tag !== null) query.set("tag", tag);
  if (cursor !== null) query.set("cursor", cursor);
  const suffix = query.size > 0 ? `posts?${query.toString()}` : "posts";
  return fetchJson<PostsResponse>(apiPath(subdomain, suffix), "Failed to fetch posts", "Failed to fetch posts");
}

export async function fetchPost(subdomain: string, slug: string): Promise<FetchResult<PostResponse>> {
  const path = apiPath(subdomain, `posts/${encodeURIComponent(slug)}`);
  const result = await fetchJson<PostResponse>(path, "Failed to fetch posts", "Failed to fetch posts");
  if (result.kind === "ok" && result.value.post.readTime === "")
    result.value.post.readTime = readTime(result.value.post.content);
  return result;
}

export function fetchServices(subdomain: string): Promise<FetchResult<ServicesResponse>> {
  return fetchJson<ServicesResponse>(
    apiPath(subdomain, "services"),
    "Failed to fetch services",
    "Failed to fetch services",
  );
}

function apiPath(subdomain: string, rest: string): string {
  return `/api/gurus/${encodeURIComponent(subdomain)}/${rest}`;
}

async function fetchJson<T extends ApiResponse>(
  path: string,
  responseError: string,
  networkError: string,
): Promise<FetchResult<T>> {
  try {
    const response = await fetch(path, {
      headers: { accept: "application/json" },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (response.status === 404) return { kind: "not-found" };
    if (!response.ok) return { kind: "failed", error: responseError };
    const body = (await response.json()) as T;
    return body.success ? { kind: "ok", value: body } : { kind: "failed", error: body.message ?? responseError };
  } catch {
    return { kind: "failed", error: networkError };
  }
}
