import type { components } from "@porchlight/shared/api.gen";

type Schemas = components["schemas"];

export type SearchHit = Schemas["SearchHit"];
export type MapCell = Schemas["MapCell"];
export type SearchData = Schemas["SearchData"];
export type SavedSearch = Schemas["SavedSearchResponse"];
export type SavedSearchList = { searches: SavedSearch[] };

/** The search text and its filters; "" leaves a filter out. All of them are in the URL. */
export type SearchQuery = {
  q: string;
  kind: string;
  near: string;
  withinMiles: string;
  maxPrice: string;
  format: string;
  language: string;
  day: string;
};
