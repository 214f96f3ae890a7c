import type { components } from "@porchlight/shared/api.gen";

type Schemas = components["schemas"];

export type SiteRow = Schemas["SiteRow"];
