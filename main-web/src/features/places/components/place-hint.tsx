import { useState } from "react";
import { useDebounced } from "@/lib/use-debounced";
import { usePlaceMatch, type PlaceMatch } from "../api/get-place-match";
import { PlaceChoices } from "./place-choices";
import styles from "./places.module.css";

/** Milliseconds without typing until the place is looked up. */
const IDLE_MS = 400;
const ZIP_CODE = /^\d{5}(-?\d{4})?$/;
const NO_NUMBERS = "Others see your town, so leave out ZIP code and street.";

type PlaceHintProps = {
  /** What was typed. */
  text: string;
  onChoose: (label: string) => void;
  /** Whether the field shows an error, which says already why the place is not clear. */
  hasError?: boolean;
  /** Others see the text: a ZIP code or street is not for them. */
  isPublic?: boolean;
  /** Look up the text that the field starts with, too. */
  checksFirstText?: boolean;
  /** A ZIP code typed beside it, which tells towns of one name apart. */
  zipCode?: string;
};

/** Says what a typed place means, or offers what it may mean; below the field, which keeps the text. */
export function PlaceHint(props: PlaceHintProps) {
  const { text, onChoose, hasError = false, isPublic = false, checksFirstText = false, zipCode = "" } = props;
  const [first] = useState(text);
  const typed = text.trim();
  const isAsked = checksFirstText || hasError || text !== first;
  const settled = useDebounced(isAsked ? typed : "", IDLE_MS);
  const alone = usePlaceMatch(settled);
  const isUnclear = alone.data?.place === null;
  const withZip = usePlaceMatch(isUnclear && ZIP_CODE.test(zipCode.trim()) ? `${settled}, ${zipCode.trim()}` : "");
  const match =
    alone.data && settled === typed ? shownMatch(alone.data, withZip.data, isPublic && /\p{Nd}/u.test(typed)) : null;
  return (
    <div className={styles.hint} role="status">
      {match?.place && match.place.label !== typed && <p>{match.place.label}</p>}
      {match && !match.place && match.message && !hasError && (
        <p>
          {match.message}
          {match.choices.length > 0 && " Did you mean:"}
        </p>
      )}
      {match && !match.place && !match.message && match.choices.length > 0 && !hasError && <p>Did you mean:</p>}
      {match && !match.place && <PlaceChoices choices={match.choices} onChoose={onChoose} />}
    </div>
  );
}

/** Return the match with the choice that fits the ZIP code first; numbers in a public text are not clear. */
function shownMatch(alone: PlaceMatch, withZip: PlaceMatch | undefined, hasNumbers: boolean): PlaceMatch {
  if (hasNumbers) {
    return { place: null, choices: alone.place ? [alone.place] : alone.choices, message: NO_NUMBERS };
  }
  const fitting = alone.place ? null : withZip?.place;
  if (!fitting) return alone;
  return { ...alone, choices: [fitting, ...alone.choices.filter(({ label }) => label !== fitting.label)] };
}
