import {
  enum as zodEnum,
  config,
  maxLength,
  minLength,
  object,
  overwrite,
  refine,
  regex,
  string,
  trim,
  type infer as Infer,
} from "zod/mini";
import { splitList } from "@/lib/split-list";
import type { SiteProfileUpdate, SiteProfile } from "./types";
import { emailProblem, trimEmail } from "@porchlight/shared/email-address";
import { formatNumber } from "@porchlight/shared/format/numbers";

// zod compiles schemas with `new Function` where it can; our content security policy forbids it.
config({ jitless: true });

const INVALID_EMAIL = "Please enter a valid email address.";

/** The server's limits, in characters or entries. */
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
  "utensils",
  "music",
  "laptop",
  "leaf",
  "camera",
  "hammer",
  "dumbbell",
  "languages",
  "palette",
  "book",
  "heart",
  "star",
] as const;

export type Appearance = SiteProfile["theme"]["appearance"];
export const APPEARANCES: readonly { value: Appearance; label: string; hint: string }[] = [
  { value: "day", label: "Daylight", hint: "Dark text on a light page." },
  { value: "dusk", label: "Dusk", hint: "Light text on a dark page." },
  { value: "device", label: "As each visitor's device", hint: "Daylight or dusk, as they chose for their device." },
];
/** The pairs of typefaces, for headings and for texts. */
export const TYPEFACES = [
  { value: "warm", label: "Warm", hint: "Headings like hand lettering over friendly, round text" },
  { value: "clear", label: "Clear", hint: "Sturdy headings over friendly, round text" },
  { value: "bookish", label: "Bookish", hint: "The letters of a good book, made for long posts" },
] as const;

const maxText = (max: number) => string().check(trim(), maxLength(max, `${formatNumber(max)} characters max`));
const color = string().check(trim(), regex(/^#[0-9a-fA-F]{6}$/, "Enter a hex color, such as #22c55e"));

export const siteSchema = object({
  character: string().check(
    trim(),
    minLength(1, "Enter a name for your site"),
    maxLength(LIMITS.character, `${LIMITS.character} characters max`),
  ),
  tagline: maxText(LIMITS.tagline),
  city: maxText(LIMITS.city),
  primarySkills: string().check(
    refine((text) => splitList(text).length <= LIMITS.skills, `${LIMITS.skills} skills max`),
    refine(
      (text) => splitList(text).every((name) => name.length <= LIMITS.skill),
      `Each skill can be up to ${LIMITS.skill} characters`,
    ),
  ),
  about: maxText(LIMITS.about),
  primaryColor: color,
  secondaryColor: color,
  icon: string(),
  appearance: zodEnum(["day", "dusk", "device"]),
  typeface: zodEnum(["warm", "clear", "bookish"]),
  emoji: maxText(LIMITS.emoji),
  seoTitle: maxText(LIMITS.seoTitle),
  seoDescription: maxText(LIMITS.seoDescription),
  contactEmail: string().check(
    overwrite(trimEmail),
    refine((text) => text === "" || emailProblem(text, INVALID_EMAIL) === null, {
      error: (issue) => emailProblem(String(issue.input), INVALID_EMAIL) ?? INVALID_EMAIL,
    }),
  ),
});

export type SiteValues = Infer<typeof siteSchema>;

export function valuesOf(site: SiteProfile): SiteValues {
  const { character, tagline, city, about, seoTitle, seoDescription, contactEmail } = site;
  const texts = { character, tagline, city, about, seoTitle, seoDescription, contactEmail };
  return { ...texts, ...site.theme, primarySkills: site.primarySkills.join(", ") };
}

/** Return the form values as the API expects them. */
export function siteUpdateOf(values: SiteValues): SiteProfileUpdate {
  const icon = ICONS.find((name) => name === values.icon) ?? "star";
  return {
    ...values,
    icon,
    primarySkills: splitList(values.primarySkills),
  };
}

/** Return only the fields that differ from the stored site, so that another tab's changes to the rest stay. */
export function changesOf(values: SiteValues, stored: SiteProfile): SiteProfileUpdate {
  const before = siteUpdateOf(valuesOf(stored));
  const changed = Object.entries(siteUpdateOf(values)).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof SiteProfileUpdate]),
  );
  return Object.fromEntries(changed);
}

/** Return the valid fields for a preview; invalid fields, and those never shown, keep their stored values. */
export function validPartOf(values: SiteValues): SiteProfileUpdate {
  const good = siteSchema.safeParse(values);
  const bad = new Set(["contactEmail", ...(good.error?.issues ?? []).map((issue) => String(issue.path[0]))]);
  return Object.fromEntries(Object.entries(siteUpdateOf(good.data ?? values)).filter(([name]) => !bad.has(name)));
}
