import type { components } from "@porchlight/shared/api.gen";

type Schemas = components["schemas"];

export type ListingRow = Schemas["ListingRow"];
export type ListingDetail = Schemas["ListingDetail"];
