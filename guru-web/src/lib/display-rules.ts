import { formatAnswerTime } from "@porchlight/shared/format/answer-time";

import { formatInteger, formatPrice, formatViews } from "./format-number";
import type { Facts, PostCard, Service, Stats } from "./types";

const MAX_HERO_CHIPS = 5;
const MAX_SENTENCE_SKILLS = 3;
const MAX_CARD_TAGS = 3;
const MIN_POSTS_FOR_VIEW_ALL = 3;
const MIN_VIEWS = 1000;

/** SPEC 9: the hero shows at most five skill chips. */
export function heroChips(skills: readonly string[]): string[] {
  return skills.slice(0, MAX_HERO_CHIPS);
}

/** SPEC 9: the hero sentence lists three skills, as in "bread, pasta and knife skills". */
export function skillSentence(skills: readonly string[]): string {
  const listed = skills.slice(0, MAX_SENTENCE_SKILLS);
  const last = listed.pop();
  if (last === undefined) return "";
  return listed.length === 0 ? last : `${listed.join(", ")} and ${last}`;
}

/** SPEC 9: a post card shows at most three tags. */
export function cardTags(post: Pick<PostCard, "tags">): string[] {
  return post.tags.slice(0, MAX_CARD_TAGS);
}

/** SPEC 9: "View All Resources" appears when there are three or more posts. */
export function hasViewAll(posts: readonly unknown[]): boolean {
  return posts.length >= MIN_POSTS_FOR_VIEW_ALL;
}

/** Views are shown in thousands only (SPEC 5): "12K+". A smaller number tells a visitor nothing. */
export function visibleViews(views: number): string | null {
  return views >= MIN_VIEWS ? formatViews(views) : null;
}

/** SPEC 5: stats show only when greater than 0. How many people asked stays with the guru. */
export function visibleStats(stats: Stats): { label: string; value: string }[] {
  return [
    { label: "Resources", count: stats.totalPosts, value: formatInteger(stats.totalPosts) },
    { label: "Views", count: Math.floor(stats.totalViews / MIN_VIEWS), value: formatViews(stats.totalViews) },
    { label: "Monthly visitors", count: stats.monthlyVisitors, value: formatViews(stats.monthlyVisitors) },
  ]
    .filter((stat) => stat.count > 0)
    .map(({ label, value }) => ({ label, value }));
}

interface GuruFact {
  icon: "tag" | "clock" | "calendar";
  text: string;
}

/** The facts about a guru that are known: the lowest price, the usual answer time and the sessions done. */
export function guruFacts(
  { answerMinutes, sessions }: Omit<Facts, "review">,
  services: readonly Service[],
): GuruFact[] {
  const prices = services.map(({ price }) => price).filter((price) => price > 0);
  const known: GuruFact[] = [];
  if (prices.length > 0) known.push({ icon: "tag", text: `From ${formatPrice(Math.min(...prices))}` });
  if (answerMinutes !== null) known.push({ icon: "clock", text: formatAnswerTime(answerMinutes) });
  if (sessions > 0) {
    known.push({
      icon: "calendar",
      text: `${formatInteger(sessions)} ${sessions === 1 ? "session" : "sessions"} done`,
    });
  }
  return known;
}
