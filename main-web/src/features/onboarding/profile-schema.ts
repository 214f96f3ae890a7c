import { config, maxLength, minLength, object, refine, string, trim, type infer as Infer } from "zod/mini";
import type { WizardProfile } from "./own";

// zod compiles schemas with `new Function` where it may; our content security policy forbids even the attempt.
config({ jitless: true });

/** The server's own limits, in characters. */
export const LIMITS = { displayName: 80, photoUrl: 2000, city: 80, zip: 12, bio: 2000 } as const;

const upTo = (most: number) => maxLength(most, `Please keep it under ${(most + 1).toLocaleString("en-US")} characters`);
const needed = (most: number, name: string) => string().check(trim(), minLength(1, `${name} is required`), upTo(most));

function isWebAddress(text: string): boolean {
  if (text === "") return true;
  const url = URL.canParse(text) ? new URL(text) : null;
  return url !== null && url.protocol === "https:" && url.hostname.includes(".") && !/["'<>\\`\s]/.test(text);
}

/** SPEC 5: everything but the photo is required, and that must be a URL. */
export const profileSchema = object({
  displayName: needed(LIMITS.displayName, "Display Name"),
  photoUrl: string().check(
    trim(),
    upTo(LIMITS.photoUrl),
    refine(isWebAddress, "Photo URL must be a URL that begins with https://"),
  ),
  city: needed(LIMITS.city, "City"),
  zip: needed(LIMITS.zip, "ZIP Code"),
  bio: needed(LIMITS.bio, "Bio"),
});

export type ProfileValues = Infer<typeof profileSchema>;

export const FIELDS = ["displayName", "photoUrl", "city", "zip", "bio"] as const;

export function valuesOf({ displayName, photoUrl, city, zip, bio }: WizardProfile): ProfileValues {
  return { displayName, photoUrl, city, zip, bio };
}

/** What can be kept as a draft: everything that is not too long. */
export function draftOf(values: ProfileValues): Partial<ProfileValues> {
  return Object.fromEntries(FIELDS.filter((name) => values[name].length <= LIMITS[name]).map((name) => [name, values[name]]));
}
