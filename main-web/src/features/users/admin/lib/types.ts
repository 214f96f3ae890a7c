import type { components } from "@porchlight/shared/api.gen";

type Schemas = components["schemas"];

export type UserRow = Schemas["UserRow"];
export type UserDetail = Schemas["UserDetail"];
