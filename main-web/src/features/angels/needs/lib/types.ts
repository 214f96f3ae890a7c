import type { components } from "@porchlight/shared/api.gen";

type Schemas = components["schemas"];

export type Need = Schemas["NeedResponse"];
export type NeedData = Schemas["NeedData"];
export type NeedList = Schemas["NeedsData"];
export type NeedOffer = Schemas["NeedOfferResponse"];
export type NeedPayload = Schemas["NeedPayload"];
export type OwnOffer = Schemas["OwnNeedOfferResponse"];
export type OwnOfferList = Schemas["NeedOffersData"];
