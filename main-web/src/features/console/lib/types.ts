import type { components } from "@porchlight/shared/api.gen";

type Schemas = components["schemas"];

export type MyGuru = Schemas["MySite"];
export type OverviewData = Schemas["SiteOverview"];
export type SiteQrCode = Schemas["SiteQrCode"];
export type BookingsOverview = Schemas["BookingsOverview"];
