import type { components } from "@porchlight/shared/api.gen";

type Schemas = components["schemas"];
export type Dashboard = Schemas["Dashboard"];
export type UserRow = Schemas["UserRow"];
export type UserDetail = Schemas["UserDetail"];
export type ReportRow = Schemas["ReportRow"];
export type ReportDetail = Schemas["ReportDetail"];
export type ExchangeRow = Schemas["ExchangeRow"];
export type ListingRow = Schemas["ListingRow"];
export type ListingDetail = Schemas["ListingDetail"];
export type RiskReviewRow = Schemas["RiskReviewRow"];
export type RiskReviewDetail = Schemas["RiskReviewDetail"];
export type RiskDecision = Schemas["RiskDecisionPayload"];
export type SiteRow = Schemas["SiteRow"];
export type AuditRow = Schemas["AuditRow"];
export type AuditState = Schemas["AuditState"];
export type ImpersonationData = Schemas["ImpersonationData"];
