import { formatAnswerTime } from "@porchlight/shared/format/answer-time";

import { formatInteger, formatPrice, formatViews } from "./format-number";
import type { Facts, Guru, PostCard, Service, Stats, Tag } from "./types";

const MAX_HERO_CHIPS = 5;
const MAX_SENTENCE_SKILLS = 3;
const MAX_CARD_TAGS = 3;
const MIN_POSTS_FOR_VIEW_ALL = 3;
const MIN_VIEWS = 1000;

/** SPEC 9: the hero shows at most five skill chips. */
export function heroChips(skills: readonly string[]): string[] {
  return skills.slice(0, MAX_HERO_CHIPS);
}

/** First words of skills that keep their capital in a sentence: languages, cuisines and the names of products. */
const PROPER_WORDS = new Set(
  (
    "African American Arabic Argentine Brazilian British Cajun Cantonese Caribbean Chinese Creole Cuban Danish Dutch" +
    " English Ethiopian European Farsi Finnish French German Greek Hawaiian Hebrew Hindi Indian Indonesian Irish" +
    " Italian Japanese Jewish Korean Latin Lebanese Mandarin Mediterranean Mexican Moroccan Nepali Norwegian" +
    " Persian Peruvian Polish Portuguese Punjabi Russian Scottish Southern Spanish Swahili Swedish Tamil Thai Tibetan" +
    " Turkish Ukrainian Urdu Vietnamese Welsh Yiddish" +
    " Android Arduino Bluetooth Django Excel Figma Google Illustrator Instagram Java Kotlin Lightroom Linux Mac" +
    " Microsoft Outlook Photoshop Python React Ruby Rust Shopify Swift Windows Word"
  ).split(" "),
);

/** "Knife skills" in the middle of a sentence: "knife skills". Names, as in "Front Range", and abbreviations stay. */
function inSentence(skill: string): string {
  const first = /^[A-Z][a-z]+(?=$|[ -][^A-Z])/.exec(skill)?.[0];
  return first === undefined || PROPER_WORDS.has(first) ? skill : first.toLowerCase() + skill.slice(first.length);
}

/** SPEC 9: the hero sentence lists three skills, as in "bread, pasta and knife skills". */
export function skillSentence(skills: readonly string[]): string {
  const listed = skills.slice(0, MAX_SENTENCE_SKILLS).map(inSentence);
  const last = listed.pop();
  if (last === undefined) return "";
  return listed.length === 0 ? last : `${listed.join(", ")} and ${last}`;
}

/** SPEC 9: a post card shows at most three tags. */
export function cardTags(post: Pick<PostCard, "tags">): Tag[] {
  return post.tags.slice(0, MAX_CARD_TAGS);
}

/** SPEC 9: "View All Resources" appears when there are three or more posts. */
export function hasViewAll(posts: readonly unknown[]): boolean {
  return posts.length >= MIN_POSTS_FOR_VIEW_ALL;
}

/** The categories that the hero's first line does not name already: all, if one has a badge there. */
export function extraCategories({ category, categories }: Guru): Guru["categories"] {
  const [only] = categories;
  const isNamed =
    categories.length === 1 &&
    only !== undefined &&
    !only.verified &&
    only.name.toLowerCase() === category.toLowerCase();
  return isNamed ? [] : categories;
}

/** The service that represents the others: the popular one, else the first. */
export function featuredService(services: readonly Service[]): Service | undefined {
  return services.find(({ popular }) => popular) ?? services[0];
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

/**
 * The facts about a guru that are known: the lowest price, the sessions done and the usual answer time. The two short
 * ones come first, so that they share a line on a phone.
 */
export function guruFacts(
  { answerMinutes, sessions }: Omit<Facts, "review">,
  services: readonly Service[],
): GuruFact[] {
  const prices = services.map(({ price }) => price).filter((price) => price > 0);
  const known: GuruFact[] = [];
  if (prices.length > 0) known.push({ icon: "tag", text: `From ${formatPrice(Math.min(...prices))}` });
  if (sessions > 0) {
    known.push({
      icon: "calendar",
      text: `${formatInteger(sessions)} ${sessions === 1 ? "session" : "sessions"} done`,
    });
  }
  if (answerMinutes !== null) known.push({ icon: "clock", text: formatAnswerTime(answerMinutes) });
  return known;
}
