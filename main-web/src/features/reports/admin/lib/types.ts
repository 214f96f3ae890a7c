import type { components } from "@porchlight/shared/api.gen";

type Schemas = components["schemas"];

export type ReportRow = Schemas["ReportRow"];
export type ReportDetail = Schemas["ReportDetail"];
