import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { api } from "../../kit/api";

export type Suggestion = { name: string; category: string };

/** Characters from which suggestions are asked for, and how many (SPEC 9). */
export const SUGGEST_FROM = 2;
const LIMIT = 8;
/** Milliseconds between the last letter and the call. */
const REST = 120;

const NONE: Suggestion[] = [];

/** Suggestions for what was typed so far; none below two characters. A failure is only logged (SPEC 8.3). */
export function useSuggestions(typed: string, wanted: boolean): Suggestion[] {
  const text = typed.trim();
  const [rested, setRested] = useState(text);
  useEffect(() => {
    const timer = window.setTimeout(() => setRested(text), REST);
    return () => window.clearTimeout(timer);
  }, [text]);

  const enough = text.length >= SUGGEST_FROM;
  const found = useQuery({
    queryKey: ["skills", "suggestions", rested.toLowerCase()],
    queryFn: ({ signal }) =>
      api.get<{ suggestions: Suggestion[] }>("/skills/suggestions/autocomplete", {
        query: { q: rested, limit: LIMIT },
        signal,
      }),
    enabled: wanted && enough && rested.length >= SUGGEST_FROM,
    placeholderData: keepPreviousData,
  });
  const { error } = found;
  useEffect(() => {
    if (error) console.warn("Could not load suggestions.", error);
  }, [error]);
  return wanted && enough && !error ? (found.data?.suggestions ?? NONE) : NONE;
}
