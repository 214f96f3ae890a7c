import type { components } from "@porchlight/shared/api.gen";

type Schemas = components["schemas"];

export type Package = Schemas["PackageData"];
export type PackagePayload = Schemas["PackagePayload"];
export type Grant = Schemas["GrantData"];
export type GrantDetails = Schemas["GrantDetails"];
export type When = "current" | "past";
