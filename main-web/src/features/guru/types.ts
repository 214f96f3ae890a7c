import type { components } from "@porchlight/shared/api.gen";

type Schemas = components["schemas"];

export type MySite = Schemas["MySiteAnswer"];
export type OverviewData = Schemas["OverviewAnswer"];
export type SiteData = Schemas["SiteAnswer"];
export type FaceChanges = Schemas["FaceChanges"];
export type Words = Schemas["WordsAnswer"];
export type DeskPost = Schemas["DeskPostAnswer"];
export type DeskPosts = Schemas["DeskPostsAnswer"];
export type PostRow = Schemas["DeskPostRow"];
export type Standing = PostRow["standing"];
export type Offer = Schemas["DeskServiceAnswer"];
export type OfferPayload = Schemas["ServicePayload"];
export type Inbox = Schemas["InboxAnswer"];
export type LeadRow = Schemas["LeadRow"];
export type DeskLead = Schemas["DeskLeadAnswer"];
export type LeadStatus = LeadRow["status"];
export type Picture = Schemas["ImageAnswer"];
