import { queryOptions } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { ADMIN_KEY } from "../../lib/query-keys";
import type { BookedSessionDetail } from "../../lib/types";

export const sessionQuery = (id: string) =>
  queryOptions({
    queryKey: [ADMIN_KEY, "session", id],
    queryFn: ({ signal }) => api.get<BookedSessionDetail>(`/admin/sessions/${id}`, { signal }),
    staleTime: 0,
  });
