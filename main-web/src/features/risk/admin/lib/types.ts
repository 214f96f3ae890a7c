import type { components } from "@porchlight/shared/api.gen";

type Schemas = components["schemas"];

export type RiskReviewRow = Schemas["RiskReviewRow"];
export type RiskReviewDetail = Schemas["RiskReviewDetail"];
export type RiskDecision = Schemas["RiskDecisionPayload"];
