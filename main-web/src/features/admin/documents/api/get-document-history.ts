import { queryOptions } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { ADMIN_KEY } from "../../lib/query-keys";
import type { components } from "@porchlight/shared/api.gen";

type History = components["schemas"]["UserDocuments"];

/** All documents of a user with their events, newest first. */
export const documentHistoryQuery = (uid: string) =>
  queryOptions({
    queryKey: [ADMIN_KEY, "documents", "of", uid],
    queryFn: ({ signal }) => api.get<History>(`/documents/${uid}`, { signal }),
  });
