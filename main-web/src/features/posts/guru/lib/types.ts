import type { components } from "@porchlight/shared/api.gen";

type Schemas = components["schemas"];

export type PostText = Schemas["PostTextResponse"];
export type ConsolePost = Schemas["ConsolePost"];
export type ConsolePostList = Schemas["ConsolePostPage"];
export type ConsolePostRow = Schemas["ConsolePostRow"];
export type PostStatus = ConsolePostRow["standing"];
export type WorkingCopySaved = Schemas["PostRevision"];
