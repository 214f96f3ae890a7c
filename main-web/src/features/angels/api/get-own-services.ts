import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import type { components } from "@porchlight/shared/api.gen";

type Schemas = components["schemas"];
export type OwnService = Schemas["OwnAngelResponse"];
export type OwnServiceList = Schemas["OwnAngelData"];

export const ownServicesQuery = (userId: string) =>
  queryOptions({
    queryKey: ["own-angel-services", userId],
    queryFn: ({ signal }) => api.GET("/angel-services", { signal }),
  });

/** List the services that the signed-in user helps with. Disabled while signed out. */
export function useOwnServices() {
  const userId = useCurrentUserId();
  return useQuery({ ...ownServicesQuery(userId), enabled: userId !== "" });
}
