import { api } from "@/lib/api-client";
import type { Changes } from "../lib/types";

/** Get what changed after a number; without one, only the present number and how many messages are unread. */
export function getChanges(after: number | null): Promise<Changes> {
  return api.GET("/messages/changes", { params: { query: { after } } });
}
