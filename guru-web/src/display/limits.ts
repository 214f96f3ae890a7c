import type { PostCard, Stats } from "../site/types";
import { formatViews, grouped } from "./numbers";

/** SPEC 9: at most five skill chips in the hero. */
export function heroChips(skills: readonly string[]): string[] {
  return skills.slice(0, 5);
}

/** SPEC 9: the hero's sentence lists three skills: "bread, pasta and knife skills". */
export function skillSentence(skills: readonly string[]): string {
  const three = skills.slice(0, 3);
  const last = three.pop();
  if (last === undefined) return "";
  return three.length === 0 ? last : `${three.join(", ")} and ${last}`;
}

/** SPEC 9: a post card shows at most three tags. */
export function cardTags(post: Pick<PostCard, "tags">): string[] {
  return post.tags.slice(0, 3);
}

/** SPEC 9: "View All Resources" appears from three posts on. */
export function showsViewAll(posts: readonly unknown[]): boolean {
  return posts.length >= 3;
}

/** SPEC 5: stats show only when greater than 0. */
export function shownStats(stats: Stats): { label: string; value: string }[] {
  return [
    { label: "Resources", count: stats.totalPosts, value: grouped(stats.totalPosts) },
    { label: "Views", count: stats.totalViews, value: formatViews(stats.totalViews) },
    { label: "Visitors a month", count: stats.monthlyVisitors, value: formatViews(stats.monthlyVisitors) },
    { label: "Enquiries", count: stats.totalLeads, value: grouped(stats.totalLeads) },
  ]
    .filter((stat) => stat.count > 0)
    .map(({ label, value }) => ({ label, value }));
}
