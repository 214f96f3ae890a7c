import { readTime } from "../display/read-time";
import type { Guru, Post, PostCard, Service, Stats, Tag } from "../site/types";

export type Fetched<T> = { kind: "ok"; value: T } | { kind: "missing" } | { kind: "failed"; trouble: string };

interface Envelope {
  success: boolean;
  message?: string;
}

export interface HomeAnswer extends Envelope {
  guru: Guru;
  featuredPosts: PostCard[];
  services: Service[];
  stats: Stats;
}

export interface PostsAnswer extends Envelope {
  posts: PostCard[];
  nextCursor: string | null;
  tags: Tag[];
}

export interface PostAnswer extends Envelope {
  post: Post;
  related: PostCard[];
}

export interface ServicesAnswer extends Envelope {
  services: Service[];
}

const TIMEOUT_MS = 8000;

/** SPEC 8.1: an answer that is no success, and no answer at all, have words of their own for the guru. */
export function fetchHome(subdomain: string): Promise<Fetched<HomeAnswer>> {
  return ask<HomeAnswer>(address(subdomain, "home"), "Failed to fetch guru data", "Failed to load guru data");
}

export function fetchPosts(subdomain: string, tag: string | null, cursor: string | null): Promise<Fetched<PostsAnswer>> {
  const query = new URLSearchParams();
  if (tag !== null) query.set("tag", tag);
  if (cursor !== null) query.set("cursor", cursor);
  const suffix = query.size > 0 ? `posts?${query.toString()}` : "posts";
  return ask<PostsAnswer>(address(subdomain, suffix), "Failed to fetch posts", "Failed to fetch posts");
}

export async function fetchPost(subdomain: string, slug: string): Promise<Fetched<PostAnswer>> {
  const path = address(subdomain, `posts/${encodeURIComponent(slug)}`);
  const answer = await ask<PostAnswer>(path, "Failed to fetch posts", "Failed to fetch posts");
  if (answer.kind === "ok" && answer.value.post.readTime === "") answer.value.post.readTime = readTime(answer.value.post.content);
  return answer;
}

export function fetchServices(subdomain: string): Promise<Fetched<ServicesAnswer>> {
  return ask<ServicesAnswer>(address(subdomain, "services"), "Failed to fetch services", "Failed to fetch services");
}

function address(subdomain: string, rest: string): string {
  return `/api/gurus/${encodeURIComponent(subdomain)}/${rest}`;
}

async function ask<T extends Envelope>(path: string, refused: string, unreachable: string): Promise<Fetched<T>> {
  try {
    const response = await fetch(path, { headers: { accept: "application/json" }, signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (response.status === 404) return { kind: "missing" };
    if (!response.ok) return { kind: "failed", trouble: refused };
    const answer = (await response.json()) as T;
    return answer.success ? { kind: "ok", value: answer } : { kind: "failed", trouble: answer.message ?? refused };
  } catch {
    return { kind: "failed", trouble: unreachable };
  }
}
