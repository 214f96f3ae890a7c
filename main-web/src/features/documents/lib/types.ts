import type { components } from "@porchlight/shared/api.gen";

type Schemas = components["schemas"];

export type DocumentData = Schemas["DocumentDetail"];
export type UploadedFile = Schemas["UploadedFile"];
export type DocumentBody = Schemas["DocumentPayload"];
export type RequiredDocument = Schemas["RequiredDocuments"];
export type Category = Schemas["TaxonomyResponse"];
