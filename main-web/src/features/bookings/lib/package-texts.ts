import type { components } from "@porchlight/shared/api.gen";
import { formatDate } from "@porchlight/shared/format/dates";
import { pluralize } from "@porchlight/shared/format/numbers";

type Schemas = components["schemas"];

export type OwnPackage = Schemas["OwnPackageData"];
export type UsablePackage = NonNullable<Schemas["HoldData"]["package"]>;

/** Say what is left of a package and until when, like "3 of 5 sessions left, until Mar 1, 2027". */
export function leftText({ left, granted, lastDay }: Pick<OwnPackage, "left" | "granted" | "lastDay">): string {
  return `${left} of ${pluralize(granted, "session", "sessions")} left, until ${formatDate(lastDay)}`;
}

/** The starts that a package covers: the earliest ones before its end, as many as it has left for the party. */
export function coveredStarts(
  { left, expiresAt }: Pick<UsablePackage, "left" | "expiresAt">,
  starts: readonly string[],
  party: number,
): string[] {
  const inTime = starts.filter((start) => Date.parse(start) < Date.parse(expiresAt));
  return inTime.sort((one, other) => Date.parse(one) - Date.parse(other)).slice(0, Math.floor(left / party));
}
