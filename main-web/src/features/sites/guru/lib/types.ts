import type { components } from "@porchlight/shared/api.gen";

type Schemas = components["schemas"];

export type SiteProfile = Schemas["SiteProfile"];
export type SiteProfileUpdate = Schemas["SiteProfileUpdate"];
