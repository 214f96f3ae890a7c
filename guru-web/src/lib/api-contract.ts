/** Checks at compile time that the API's responses fit the types in `types.ts`. */

import type { paths } from "@porchlight/shared/api.gen";

import type { Category, Facts, FreeTimes, Guru, NextStarts, Post, PostCard, Service, Stats, TagCount } from "./types";

type Ok<Path extends keyof paths> = paths[Path] extends {
  get: { responses: { 200: { content: { "application/json": infer Body } } } };
}
  ? Body
  : never;
type Home = Ok<"/api/gurus/{subdomain}/home">;
type Posts = Ok<"/api/gurus/{subdomain}/posts">;
type SinglePost = Ok<"/api/gurus/{subdomain}/posts/{slug}">;

type Assignable<To, From extends To> = From;

export interface ApiContract {
  guru: Assignable<Guru, Home["guru"]>;
  category: Assignable<Category, Home["guru"]["categories"][number]>;
  card: Assignable<PostCard, Home["featuredPosts"][number]>;
  post: Assignable<Post, SinglePost["post"]>;
  service: Assignable<Service, Home["services"][number]>;
  stats: Assignable<Stats, Home["stats"]>;
  facts: Assignable<Facts, Home["facts"]>;
  times: Assignable<FreeTimes, Ok<"/api/gurus/{subdomain}/services/{service_id}/slots">>;
  nextStarts: Assignable<NextStarts, Ok<"/api/gurus/{subdomain}/next-starts">>;
  tag: Assignable<TagCount, Posts["tags"][number]>;
}
