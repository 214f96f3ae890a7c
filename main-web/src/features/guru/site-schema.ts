import { config, email, literal, maxLength, minLength, object, refine, regex, string, trim, union, type infer as Infer } from "zod/mini";
import type { FaceChanges, SiteData } from "./types";

// zod compiles schemas with `new Function` where it may; our content security policy forbids even the attempt.
config({ jitless: true });

/** The server's own limits, in characters or entries. */
export const LIMITS = {
  character: 80,
  tagline: 160,
  city: 80,
  skill: 40,
  skills: 12,
  about: 20_000,
  emoji: 16,
  seoTitle: 120,
  seoDescription: 320,
} as const;

export const ICONS = [
  "utensils", "music", "laptop", "leaf", "camera", "hammer", "dumbbell", "languages", "palette", "book", "heart", "star",
] as const;

const upTo = (most: number) =>
  string().check(trim(), maxLength(most, `Please keep it under ${(most + 1).toLocaleString("en-US")} characters`));
const colour = string().check(trim(), regex(/^#[0-9a-fA-F]{6}$/, "A color is # and six digits or letters a to f, such as #22c55e"));

export const siteSchema = object({
  character: string().check(
    trim(),
    minLength(1, "Visitors need a name to call you by"),
    maxLength(LIMITS.character, `Please keep it under ${LIMITS.character + 1} characters`),
  ),
  tagline: upTo(LIMITS.tagline),
  city: upTo(LIMITS.city),
  primarySkills: string().check(
    refine((text) => listed(text).length <= LIMITS.skills, `At most ${LIMITS.skills} skills, please`),
    refine((text) => listed(text).every((name) => name.length <= LIMITS.skill), "One of these is too long for a skill"),
  ),
  about: upTo(LIMITS.about),
  primaryColor: colour,
  secondaryColor: colour,
  icon: string(),
  emoji: upTo(LIMITS.emoji),
  seoTitle: upTo(LIMITS.seoTitle),
  seoDescription: upTo(LIMITS.seoDescription),
  contactEmail: union([literal(""), email("Please enter a valid email address.")]),
});

export type SiteValues = Infer<typeof siteSchema>;

/** "Bread, Soup" as its entries, each once. */
export function listed(text: string): string[] {
  return [...new Set(text.split(",").map((name) => name.trim()))].filter(Boolean);
}

export function valuesOf(site: SiteData): SiteValues {
  const { character, tagline, city, about, seoTitle, seoDescription, contactEmail } = site;
  const texts = { character, tagline, city, about, seoTitle, seoDescription, contactEmail };
  return { ...texts, ...site.theme, primarySkills: site.primarySkills.join(", ") };
}

/** What the form says, as the server reads it. */
export function faceOf(values: SiteValues): FaceChanges {
  const icon = ICONS.find((known) => known === values.icon) ?? "star";
  return { ...values, icon, primarySkills: listed(values.primarySkills) };
}

/** Only what differs from the stored site: another tab's changes to the rest stay. */
export function changesOf(values: SiteValues, stored: SiteData): FaceChanges {
  const before = faceOf(valuesOf(stored));
  const changed = Object.entries(faceOf(values)).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof FaceChanges]),
  );
  return Object.fromEntries(changed);
}

/** A face the server will draw: what is not valid yet, or never shown, is left as it is stored. */
export function drawable(values: SiteValues): FaceChanges {
  const good = siteSchema.safeParse(values);
  const bad = new Set(["contactEmail", ...(good.error?.issues ?? []).map((issue) => String(issue.path[0]))]);
  return Object.fromEntries(Object.entries(faceOf(good.data ?? values)).filter(([name]) => !bad.has(name)));
}
