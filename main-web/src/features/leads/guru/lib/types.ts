import type { components } from "@porchlight/shared/api.gen";

type Schemas = components["schemas"];

export type LeadList = Schemas["LeadPage"];
export type LeadRow = Schemas["LeadRow"];
export type ConsoleLead = Schemas["ConsoleLead"];
export type LeadStatus = LeadRow["status"];
