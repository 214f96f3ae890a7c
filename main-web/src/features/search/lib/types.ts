import type { components } from "@porchlight/shared/api.gen";

type Schemas = components["schemas"];

export type SearchHit = Schemas["SearchHit"];
export type MapCell = Schemas["MapCell"];
export type SearchData = Schemas["SearchData"];
export type SavedSearch = Schemas["SavedSearchResponse"];
type Payload = Schemas["SavedSearchPayload"];
type Choice<Name extends "kind" | "format" | "day"> = NonNullable<Payload[Name]> | "";

/** The search text and its filters; "" leaves a filter out. All of them are in the URL. */
export type SearchQuery = {
  q: string;
  kind: Choice<"kind">;
  near: string;
  withinMiles: string;
  maxPrice: string;
  format: Choice<"format">;
  language: string;
  day: Choice<"day">;
};

/** A search without filters. */
export const NO_FILTERS: Omit<SearchQuery, "q"> = {
  kind: "",
  near: "",
  withinMiles: "",
  maxPrice: "",
  format: "",
  language: "",
  day: "",
};
