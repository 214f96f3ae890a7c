import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";

export type HomeGuru = {
  subdomain: string;
  character: string;
  category: string;
  tagline: string;
  url: string;
  theme: { primaryColor: string; secondaryColor: string; icon: string; emoji: string };
};

export type HomePost = {
  title: string;
  excerpt: string;
  url: string;
  guru: { character: string; subdomain: string };
  /** ISO 8601, UTC. */
  publishedAt: string;
  readTime: string;
};

export type HomeContent = { gurus: HomeGuru[]; posts: HomePost[] };

export const homeQuery = queryOptions({
  queryKey: ["home"],
  queryFn: ({ signal }) => api.get<HomeContent>("/home", { signal }),
  staleTime: 5 * 60_000,
});

/** Get the active gurus and their newest posts. */
export function useHome() {
  return useQuery(homeQuery);
}
