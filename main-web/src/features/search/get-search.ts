import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { api } from "../../kit/api";
import type { components } from "@porchlight/shared/api.gen";

export type Hit = components["schemas"]["HitAnswer"];
export type Cell = components["schemas"]["CellAnswer"];
export type SearchData = components["schemas"]["SearchData"];

/** What is looked for; "" leaves a filter out. All of it lives in the address. */
export type Question = {
  q: string;
  kind: string;
  near: string;
  withinMiles: string;
  maxPrice: string;
  format: string;
  language: string;
  day: string;
};

/** Characters from which a search is made. */
export const SEARCH_FROM = 2;
/** Milliseconds until a question is asked again whose meaning the worker is just reading. */
const READING = 1500;
/** How often at most: after that, words must do. */
const PATIENCE = 4;

/** Dollars as typed, as cents; undefined for what is no amount. */
export function cents(dollars: string): number | undefined {
  const amount = Number(dollars);
  return dollars.trim() !== "" && Number.isFinite(amount) && amount >= 0 ? Math.round(amount * 100) : undefined;
}

/** Hits for a question, a page at a time, by slips of the finger at once and by meaning a moment later. */
export function useSearch(question: Question, cursor: string) {
  const { maxPrice, ...rest } = question;
  return useQuery({
    queryKey: ["search", question, cursor],
    queryFn: ({ signal }) =>
      api.get<SearchData>("/search", { query: { ...rest, maxPriceCents: cents(maxPrice), cursor }, signal }),
    enabled: question.q.trim().length >= SEARCH_FROM,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.pending && state.dataUpdateCount < PATIENCE ? READING : false,
  });
}
