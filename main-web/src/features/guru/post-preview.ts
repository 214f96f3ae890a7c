import { api } from "../../kit/api";
import type { FaceChanges, Words } from "./types";

export type PreviewOf =
  | { page: "/" | "/about" | "/services"; face: FaceChanges }
  | { page: "/blog/[slug]"; post: Words };

/** Where a page of the real site with unsaved changes can be looked at, for a quarter of an hour, in a frame of ours. */
export async function postPreview(preview: PreviewOf, signal: AbortSignal): Promise<string> {
  return (await api.post<{ address: string }>("/guru/previews", { body: preview, signal })).address;
}
