import type { components } from "@porchlight/shared/api.gen";

type Schemas = components["schemas"];

export type Gallery = Schemas["ConsoleGallery"];
export type StoredPicture = Schemas["ConsolePicture"];
export type PictureService = Schemas["PictureService"];
export type PictureLimits = Schemas["PictureLimits"];
