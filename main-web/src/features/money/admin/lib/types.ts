import type { components } from "@porchlight/shared/api.gen";

type Schemas = components["schemas"];

export type MoneySummary = Schemas["MoneySummary"];
export type MoneyFinding = Schemas["MoneyFinding"];
export type StripeWrite = Schemas["StripeWriteRow"];
export type Dispute = Schemas["DisputeRow"];
export type StripeEvent = Schemas["StripeEventRow"];
export type Reconciliation = Schemas["ReconciliationRow"];
export type Adjustment = Schemas["AdjustmentRow"];
export type AdjustmentPayload = Schemas["AdjustmentPayload"];
export type MoneyOverview = Schemas["MoneyOverview"];
export type CardPayment = Schemas["CardPaymentRow"];
export type CardPaymentDetails = Schemas["CardPaymentDetails"];
