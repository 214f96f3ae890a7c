import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { api } from "@/lib/api-client";

export type AutocompleteSuggestion = { name: string; category: string };

/** Characters from which suggestions are requested, and their number (SPEC 9). */
export const MIN_AUTOCOMPLETE_LENGTH = 2;
const LIMIT = 8;
/** Milliseconds without typing until the request. */
const DEBOUNCE_MS = 120;

const NONE: AutocompleteSuggestion[] = [];

/** List suggestions for the typed text; none below two characters. Errors are only logged (SPEC 8.3). */
export function useAutocomplete(input: string, enabled: boolean): AutocompleteSuggestion[] {
  const text = input.trim();
  const [debounced, setDebounced] = useState(text);
  useEffect(() => {
    const timer = window.setTimeout(() => setDebounced(text), DEBOUNCE_MS);
    return () => window.clearTimeout(timer);
  }, [text]);

  const isLongEnough = text.length >= MIN_AUTOCOMPLETE_LENGTH;
  const suggestions = useQuery({
    queryKey: ["skills", "suggestions", debounced.toLowerCase()],
    queryFn: ({ signal }) =>
      api.get<{ suggestions: AutocompleteSuggestion[] }>("/skills/suggestions/autocomplete", {
        query: { q: debounced, limit: LIMIT },
        signal,
      }),
    enabled: enabled && isLongEnough && debounced.length >= MIN_AUTOCOMPLETE_LENGTH,
    placeholderData: keepPreviousData,
  });
  const { error } = suggestions;
  useEffect(() => {
    if (error) console.warn("Could not load suggestions.", error);
  }, [error]);
  return enabled && isLongEnough && !error ? (suggestions.data?.suggestions ?? NONE) : NONE;
}
