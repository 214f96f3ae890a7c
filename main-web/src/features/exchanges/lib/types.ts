import type { components } from "@porchlight/shared/api.gen";

type Schemas = components["schemas"];

export type Exchange = Schemas["ExchangeData"];
export type ExchangeOffer = Schemas["ExchangeOffer"];
export type ExchangePlace = Exchange["place"];
/** What a session is given for. */
export type ExchangeMode = Exchange["mode"];
export type OwnHours = Schemas["OwnHours"];
export type Hours = Schemas["HoursData"];
export type HoursLine = Schemas["HoursLine"];
export type ExchangeAnswer = Schemas["ExchangeAnswerPayload"];
/** Which exchanges a tab lists: ahead, waiting for an answer, or over. */
export type When = "upcoming" | "waiting" | "past";
