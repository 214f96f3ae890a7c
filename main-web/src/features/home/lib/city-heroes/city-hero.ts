import austin from "./austin.svg";
import chicago from "./chicago.svg";
import dallas from "./dallas.svg";
import fallback from "./default.svg";
import houston from "./houston.svg";
import losAngeles from "./los-angeles.svg";
import newYork from "./new-york.svg";
import philadelphia from "./philadelphia.svg";
import phoenix from "./phoenix.svg";
import sanAntonio from "./san-antonio.svg";
import sanDiego from "./san-diego.svg";

const HEROES: Readonly<Record<string, string>> = {
  "new york": newYork,
  "los angeles": losAngeles,
  chicago,
  houston,
  phoenix,
  philadelphia,
  "san antonio": sanAntonio,
  "san diego": sanDiego,
  dallas,
  austin,
};

/** Return the hero image for a "city, state" label: one of ten cities, else the default. */
export function cityHero(label: string | null): string {
  const city =
    (label ?? "")
      .split(",")[0]
      ?.trim()
      .toLowerCase()
      .replace(/\s+/g, " ")
      .replace(/ city$/, "") ?? "";
  return (Object.hasOwn(HEROES, city) && HEROES[city]) || fallback;
}
