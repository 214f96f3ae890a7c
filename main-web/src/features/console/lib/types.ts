import type { components } from "@porchlight/shared/api.gen";

type Schemas = components["schemas"];

export type MyGuru = Schemas["MySite"];
export type OverviewData = Schemas["SiteOverview"];
export type SiteProfile = Schemas["SiteProfile"];
export type SiteProfileUpdate = Schemas["SiteProfileUpdate"];
export type PostText = Schemas["PostTextResponse"];
export type ConsolePost = Schemas["ConsolePost"];
export type ConsolePostList = Schemas["ConsolePostPage"];
export type ConsolePostRow = Schemas["ConsolePostRow"];
export type PostStatus = ConsolePostRow["standing"];
export type WorkingCopySaved = { revision: number; savedAt: string };
export type Service = Schemas["ConsoleService"];
export type ServiceList = { services: Service[] };
export type ServicePayload = Schemas["ServicePayload"];
export type LeadList = Schemas["LeadPage"];
export type LeadRow = Schemas["LeadRow"];
export type ConsoleLead = Schemas["ConsoleLead"];
export type LeadStatus = LeadRow["status"];
export type UploadedImage = Schemas["ConsoleImage"];
