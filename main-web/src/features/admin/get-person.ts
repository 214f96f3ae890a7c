import { queryOptions } from "@tanstack/react-query";
import { api } from "../../kit/api";
import { ADMIN } from "./admin-keys";
import type { PersonDetail } from "./types";

export const personQuery = (id: string) =>
  queryOptions({
    queryKey: [ADMIN, "person", id],
    queryFn: ({ signal }) => api.get<PersonDetail>(`/admin/users/${id}`, { signal }),
    staleTime: 0,
  });
