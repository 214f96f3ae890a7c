import { useSession } from "../../kit/session/session-context";
import type { components } from "@porchlight/shared/api.gen";

type Schemas = components["schemas"];

export type Paper = Schemas["Paper"];
export type Uploaded = Schemas["FileData"];
export type DocumentBody = Schemas["DocumentPayload"];
export type Needed = Schemas["NeededAnswer"];
export type Category = Schemas["TaxonomyAnswer"];

/** The account that is signed in, as a part of query keys: nobody sees the documents of who was here before. */
export function useUid(): string {
  const session = useSession();
  return session.status === "signed-in" ? session.user.uid : "";
}
