/** Holds this template's types against those generated from the API: a difference is an error of the compiler. */

import type { components } from "@porchlight/shared/api.gen";

import type { Category, Guru, Post, PostCard, Service, Stats, Tag } from "./types";

type Wire = components["schemas"];
type Takes<Ours, Theirs extends Ours> = Theirs;

/** Each answer of the API, as this template takes it. */
export interface Taken {
  guru: Takes<Guru, Wire["GuruAnswer"]>;
  category: Takes<Category, Wire["CategoryAnswer"]>;
  card: Takes<PostCard, Wire["PostCard"]>;
  post: Takes<Post, Wire["PostAnswer"]>;
  service: Takes<Service, Wire["ServiceAnswer"]>;
  stats: Takes<Stats, Wire["StatsAnswer"]>;
  tag: Takes<Tag, Wire["TagCount"]>;
}
