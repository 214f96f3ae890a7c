import { formatInteger, formatViews } from "./format-number";
import type { PostCard, Stats } from "./types";

const MAX_HERO_CHIPS = 5;
const MAX_SENTENCE_SKILLS = 3;
const MAX_CARD_TAGS = 3;
const MIN_POSTS_FOR_VIEW_ALL = 3;

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

/** SPEC 5: stats show only when greater than 0. */
export function visibleStats(stats: Stats): { label: string; value: string }[] {
  return [
    { label: "Resources", count: stats.totalPosts, value: formatInteger(stats.totalPosts) },
    { label: "Views", count: stats.totalViews, value: formatViews(stats.totalViews) },
    { label: "Monthly visitors", count: stats.monthlyVisitors, value: formatViews(stats.monthlyVisitors) },
    { label: "Inquiries", count: stats.totalLeads, value: formatInteger(stats.totalLeads) },
  ]
    .filter((stat) => stat.count > 0)
    .map(({ label, value }) => ({ label, value }));
}
