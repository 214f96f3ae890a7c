import type { components } from "@porchlight/shared/api.gen";

type Schemas = components["schemas"];

export type ThreadCard = Schemas["ThreadCard"];
export type ThreadPage = Schemas["ThreadsData"];
export type Message = Schemas["MessageCard"];
export type MessagePage = Schemas["MessagesData"];
export type MessageFile = Schemas["MessageFileCard"];
export type SessionEvent = Schemas["SessionEvent"];
export type Changes = Schemas["ChangesData"];
export type RecipientCard = Schemas["RecipientData"];
/** To whom a first message goes: by what both have in common. */
export type Recipient = Schemas["RecipientPayload"];
export type RecipientKind = Recipient["kind"];
/** On which side of a thread the reader is. Threads without a guru have only persons. */
export type Side = ThreadCard["side"];
export type Box = "inbox" | "requests" | "archived";
