import type { components } from "@porchlight/shared/api.gen";

type Schemas = components["schemas"];

export type StatementLine = Schemas["StatementLine"];
export type StatementPage = Schemas["StatementPage"];
export type CardPayments = Schemas["CardPaymentsData"];
export type YearStatement = Schemas["YearStatementData"];
export type YearTotals = Schemas["YearTotals"];
export type Invoice = Schemas["InvoiceData"];
export type InvoiceParty = Schemas["InvoicePartyData"];
