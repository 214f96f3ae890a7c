import { array, boolean, config, enum as oneOf, maxLength, minLength, object, refine, regex, string, trim, type infer as Infer } from "zod/mini";
import type { Profile, ProfileChanges } from "../../kit/session/profile";

// zod compiles schemas with `new Function` where it may; our content security policy forbids even the attempt.
config({ jitless: true });

/** The server's own limits, in characters or entries. */
export const LIMITS = {
  name: 60,
  displayName: 120,
  bio: 2000,
  location: 120,
  availability: 500,
  skill: 60,
  skills: 30,
  language: 40,
  languages: 20,
} as const;

export const LEVELS = ["beginner", "intermediate", "advanced", "expert"] as const;

const upTo = (most: number) =>
  string().check(trim(), maxLength(most, `Please keep it under ${(most + 1).toLocaleString("en-US")} characters`));

const skillRow = object({ name: upTo(LIMITS.skill), level: oneOf(["", ...LEVELS]) }).check(
  refine(({ name, level }) => name !== "" || level === "", { path: ["name"], error: "Name the skill, or remove this row" }),
);

const skillRows = array(skillRow).check(maxLength(LIMITS.skills, `At most ${LIMITS.skills} skills, please`));

export const profileSchema = object({
  firstName: upTo(LIMITS.name),
  lastName: upTo(LIMITS.name),
  displayName: string().check(
    trim(),
    minLength(1, "Neighbors need a name to call you by"),
    maxLength(LIMITS.displayName, `Please keep it under ${LIMITS.displayName + 1} characters`),
  ),
  handle: string().check(
    trim(),
    minLength(3, { error: "Use 3 to 40 small letters, digits and single hyphens", abort: true }),
    maxLength(40, { error: "Use 3 to 40 small letters, digits and single hyphens", abort: true }),
    regex(/^[a-z0-9](?:-?[a-z0-9]){2,39}$/, "Use 3 to 40 small letters, digits and single hyphens"),
  ),
  bio: upTo(LIMITS.bio),
  location: upTo(LIMITS.location).check(regex(/^\P{Nd}*$/u, "City and state are enough: no street or number")),
  offered: skillRows,
  wanted: skillRows,
  languages: string().check(
    refine((text) => listed(text).length <= LIMITS.languages, `At most ${LIMITS.languages} languages, please`),
    refine((text) => listed(text).every((name) => name.length <= LIMITS.language), "One of these is too long for a language"),
  ),
  availability: upTo(LIMITS.availability),
  privacy: object({
    publicProfile: boolean(),
    showLocation: boolean(),
    showSkills: boolean(),
    showAvailability: boolean(),
  }),
});

export type ProfileValues = Infer<typeof profileSchema>;

/** "English, Spanish" as its entries, each once. */
export function listed(text: string): string[] {
  return [...new Set(text.split(",").map((name) => name.trim()))].filter(Boolean);
}

export function valuesOf(profile: Profile): ProfileValues {
  const rows = (skills: Profile["skills"]["offered"]) => skills.map(({ name, level }) => ({ name, level: level ?? "" as const }));
  return {
    firstName: profile.firstName,
    lastName: profile.lastName,
    displayName: profile.displayName,
    handle: profile.handle,
    bio: profile.bio,
    location: profile.location,
    offered: rows(profile.skills.offered),
    wanted: rows(profile.skills.wanted),
    languages: profile.languages.join(", "),
    availability: profile.availability,
    privacy: profile.privacy,
  };
}

/** Only what differs from the stored profile: another tab's changes to the rest stay. */
export function changesOf(values: ProfileValues, stored: Profile): ProfileChanges {
  const rows = (skills: ProfileValues["offered"]) =>
    skills.filter(({ name }) => name !== "").map(({ name, level }) => ({ name, level: level || null }));
  const { offered, wanted, languages, ...plain } = values;
  const wished = { ...plain, languages: listed(languages), skills: { offered: rows(offered), wanted: rows(wanted) } };
  const changed = Object.entries(wished).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(stored[name as keyof typeof wished]),
  );
  return Object.fromEntries(changed);
}
