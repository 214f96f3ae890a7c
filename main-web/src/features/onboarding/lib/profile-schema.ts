import { config, maxLength, minLength, object, refine, string, trim, type infer as Infer } from "zod/mini";
import type { WizardProfile } from "./types";
import { formatNumber } from "@porchlight/shared/format/numbers";

// zod compiles schemas with `new Function` where it can; our content security policy forbids it.
config({ jitless: true });

/** The server's limits, in characters. */
export const LIMITS = { displayName: 80, photoUrl: 2000, city: 80, zip: 12, bio: 2000 } as const;

const maxText = (max: number) => maxLength(max, `${formatNumber(max)} characters max`);
const needed = (max: number, name: string) => string().check(trim(), minLength(1, `${name} is required`), maxText(max));

/** Tell whether a photo was uploaded here; any other one is a link. */
export const isUploadedPhoto = (url: string) => url.startsWith("/api/photos/");

function isWebAddress(text: string): boolean {
  if (text === "" || isUploadedPhoto(text)) return true;
  const url = URL.canParse(text) ? new URL(text) : null;
  return url !== null && url.protocol === "https:" && url.hostname.includes(".") && !/["'<>\\`\s]/.test(text);
}

/** SPEC 5: everything except the photo is required, and the photo must be a URL. */
export const profileSchema = object({
  displayName: needed(LIMITS.displayName, "Display Name"),
  photoUrl: string().check(
    trim(),
    maxText(LIMITS.photoUrl),
    refine(isWebAddress, "Photo URL must start with https://"),
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

/** Return the fields that can be saved as a draft: all that are not too long. */
export function draftOf(values: ProfileValues): Partial<ProfileValues> {
  return Object.fromEntries(
    FIELDS.filter((name) => values[name].length <= LIMITS[name]).map((name) => [name, values[name]]),
  );
}
