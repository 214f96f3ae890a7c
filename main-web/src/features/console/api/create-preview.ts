import { api } from "@/lib/api-client";
import type { SiteProfileUpdate } from "@/features/sites/contract";
import type { PostText } from "@/features/posts/contract";

export type PreviewRequest =
  { page: "/" | "/about" | "/services"; face: SiteProfileUpdate } | { page: "/blog/[slug]"; post: PostText };

/**
 * Create a preview of a site page with unsaved changes.
 * @returns the URL to show in a frame, valid for 15 minutes
 */
export async function createPreview(preview: PreviewRequest, signal: AbortSignal): Promise<string> {
  return (await api.POST("/guru/previews", { body: preview, signal })).address;
}
