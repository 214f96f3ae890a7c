import { queryOptions } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { ADMIN_KEY } from "@/features/admin/contract";

/** All documents of a user with their events, newest first. */
export const documentHistoryQuery = (uid: string) =>
  queryOptions({
    queryKey: [ADMIN_KEY, "documents", "of", uid],
    queryFn: ({ signal }) => api.GET("/documents/{uid}", { params: { path: { uid } }, signal }),
  });
