import type { components } from "@porchlight/shared/api.gen";

type Schemas = components["schemas"];
export type AdminSessionData = Schemas["AdminSessionData"];
export type AdminOverview = Schemas["AdminOverview"];
export type Dashboard = Schemas["Dashboard"];
export type AuditRow = Schemas["AuditRow"];
export type AuditState = Schemas["AuditState"];
export type ImpersonationData = Schemas["ImpersonationData"];
