import {
  array,
  boolean,
  config,
  enum as oneOf,
  maxLength,
  minLength,
  object,
  refine,
  regex,
  string,
  trim,
  type infer as Infer,
} from "zod/mini";
import { splitList } from "@/lib/split-list";
import type { Profile } from "@/lib/session/get-profile";
import type { ProfileChanges } from "../api/update-profile";
import { formatNumber } from "@porchlight/shared/format/numbers";

// zod compiles schemas with `new Function` where it can; our content security policy forbids it.
config({ jitless: true });

/** The server's limits, in characters or entries. */
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

const maxText = (max: number) => string().check(trim(), maxLength(max, `${formatNumber(max)} characters max`));

const skillRow = object({ name: maxText(LIMITS.skill), level: oneOf(["", ...LEVELS]) }).check(
  refine(({ name, level }) => name !== "" || level === "", {
    path: ["name"],
    error: "Enter a skill or remove this row",
  }),
);

const skillRows = array(skillRow).check(maxLength(LIMITS.skills, `${LIMITS.skills} skills max`));

export const profileSchema = object({
  firstName: maxText(LIMITS.name),
  lastName: maxText(LIMITS.name),
  displayName: string().check(
    trim(),
    minLength(1, "Enter a display name"),
    maxLength(LIMITS.displayName, `${LIMITS.displayName} characters max`),
  ),
  handle: string().check(
    trim(),
    minLength(3, { error: "Use 3 to 40 lowercase letters, numbers and single hyphens", abort: true }),
    maxLength(40, { error: "Use 3 to 40 lowercase letters, numbers and single hyphens", abort: true }),
    regex(/^[a-z0-9](?:-?[a-z0-9]){2,39}$/, "Use 3 to 40 lowercase letters, numbers and single hyphens"),
  ),
  bio: maxText(LIMITS.bio),
  location: maxText(LIMITS.location),
  offered: skillRows,
  wanted: skillRows,
  languages: string().check(
    refine((text) => splitList(text).length <= LIMITS.languages, `${LIMITS.languages} languages max`),
    refine(
      (text) => splitList(text).every((name) => name.length <= LIMITS.language),
      "One of the languages is too long",
    ),
  ),
  availability: maxText(LIMITS.availability),
  privacy: object({
    publicProfile: boolean(),
    showLocation: boolean(),
    showSkills: boolean(),
    showAvailability: boolean(),
  }),
});

export type ProfileValues = Infer<typeof profileSchema>;

export function valuesOf(profile: Profile): ProfileValues {
  const rows = (skills: Profile["skills"]["offered"]) =>
    skills.map(({ name, level }) => ({ name, level: level ?? ("" as const) }));
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

/** Return only the fields that differ from the stored profile, so that another tab's changes to the rest stay. */
export function changesOf(values: ProfileValues, stored: Profile): ProfileChanges {
  const rows = (skills: ProfileValues["offered"]) =>
    skills.filter(({ name }) => name !== "").map(({ name, level }) => ({ name, level: level || null }));
  const { offered, wanted, languages, ...rest } = values;
  const wished = { ...rest, languages: splitList(languages), skills: { offered: rows(offered), wanted: rows(wanted) } };
  const changed = Object.entries(wished).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(stored[name as keyof typeof wished]),
  );
  return Object.fromEntries(changed);
}
