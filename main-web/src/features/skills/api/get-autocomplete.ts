import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { api } from "@/lib/api-client";
import { useDebounced } from "@/lib/use-debounced";
import type { components } from "@porchlight/shared/api.gen";

export type AutocompleteSuggestion = components["schemas"]["SuggestionResponse"];

/** Characters from which suggestions are requested, and their number (SPEC 9). */
export const MIN_AUTOCOMPLETE_LENGTH = 2;
const LIMIT = 8;
/** Milliseconds without typing until the request. */
const DEBOUNCE_MS = 120;

const NONE: AutocompleteSuggestion[] = [];

/** List suggestions for the typed text; none below two characters. Errors are only logged (SPEC 8.3). */
export function useAutocomplete(input: string, enabled: boolean): AutocompleteSuggestion[] {
  const text = input.trim();
  const debounced = useDebounced(text, DEBOUNCE_MS);
  const isLongEnough = text.length >= MIN_AUTOCOMPLETE_LENGTH;
  const suggestions = useQuery({
    queryKey: ["skills", "suggestions", debounced.toLowerCase()],
    queryFn: ({ signal }) =>
      api.GET("/skills/suggestions/autocomplete", { params: { query: { q: debounced, limit: LIMIT } }, signal }),
    enabled: enabled && isLongEnough && debounced.length >= MIN_AUTOCOMPLETE_LENGTH,
    placeholderData: keepPreviousData,
  });
  const { error } = suggestions;
  useEffect(() => {
    if (error) console.warn("Could not load suggestions.", error);
  }, [error]);
  return enabled && isLongEnough && !error ? (suggestions.data?.suggestions ?? NONE) : NONE;
}
