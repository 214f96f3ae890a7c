import { PlaceChoices, type PlaceMatch } from "@/features/places/contract";
import { Notice } from "@/components/ui/notice";
import type { SearchQuery } from "../lib/types";

type UnknownPlaceProps = {
  query: SearchQuery;
  match: PlaceMatch | null;
  onChoose: (label: string) => void;
};

/** Return whether nothing can be found because the distance is from a place that is not known. */
export function isWithoutPlace(query: SearchQuery, match: PlaceMatch | null): boolean {
  return match !== null && match.place === null && query.withinMiles !== "";
}

/** Return the place that was understood, for the line that counts what was found. */
export function nearText(query: SearchQuery, match: PlaceMatch | null): string {
  if (!match?.place) return "";
  return query.withinMiles
    ? ` within ${query.withinMiles} miles of ${match.place.label}`
    : ` near ${match.place.label}`;
}

/** Says that "Near" is no clear place and what it does not do then, with the places that may be meant. */
export function UnknownPlace({ query, match, onChoose }: UnknownPlaceProps) {
  if (!match || match.place) return null;
  return (
    <Notice tone="warning">
      <p>
        {isWithoutPlace(query, match)
          ? `We can't search within ${query.withinMiles} miles of “${query.near.trim()}”. `
          : `We can't show how far “${query.near.trim()}” is. `}
        {match.message}
        {match.choices.length > 0 && " Did you mean:"}
      </p>
      <PlaceChoices choices={match.choices} onChoose={onChoose} />
    </Notice>
  );
}
