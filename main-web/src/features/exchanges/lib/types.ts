import type { components } from "@porchlight/shared/api.gen";

type Schemas = components["schemas"];

export type Exchange = Schemas["ExchangeData"];
export type ExchangeOffer = Schemas["ExchangeOffer"];
export type ExchangePlace = Exchange["place"];
export type ExchangeAnswer = Schemas["ExchangeAnswerPayload"];
/** Which exchanges a tab lists: ahead, waiting for an answer, or over. */
export type When = "upcoming" | "waiting" | "past";
