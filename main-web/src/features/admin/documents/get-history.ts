import { queryOptions } from "@tanstack/react-query";
import { api } from "../../../kit/api";
import { ADMIN } from "../admin-keys";
import type { components } from "@porchlight/shared/api.gen";

type History = components["schemas"]["History"];

/** All documents of somebody with what happened to each, the newest first. */
export const historyQuery = (uid: string) =>
  queryOptions({
    queryKey: [ADMIN, "documents", "of", uid],
    queryFn: ({ signal }) => api.get<History>(`/documents/${uid}`, { signal }),
  });
