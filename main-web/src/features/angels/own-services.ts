import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "../../kit/api";
import { useSession } from "../../kit/session/session-context";
import { angelsQuery } from "./get-angels";
import type { components } from "@porchlight/shared/api.gen";

type Schemas = components["schemas"];
export type OwnService = Schemas["OwnAngelAnswer"];
type Own = Schemas["OwnAngelData"];
type Change = { service: string; help: Schemas["AngelPayload"] | null };

const ownServicesQuery = (uid: string) =>
  queryOptions({
    queryKey: ["own-angel-services", uid],
    queryFn: ({ signal }) => api.get<Own>("/angel-services", { signal }),
  });

export function useUid(): string {
  const session = useSession();
  return session.status === "signed-in" ? session.user.uid : "";
}

/** What the signed-in person helps with; asks nothing while nobody is signed in. */
export function useOwnServices() {
  const uid = useUid();
  return useQuery({ ...ownServicesQuery(uid), enabled: uid !== "" });
}

/** Offers one's help with something, or takes it back (null). */
export function useChangeService() {
  const uid = useUid();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ service, help }: Change) => {
      const path = `/angel-services/${encodeURIComponent(service)}`;
      return help ? api.put<Own>(path, { body: help }) : api.delete<Own>(path);
    },
    onSuccess: (own) => {
      queries.setQueryData(ownServicesQuery(uid).queryKey, own);
      void queries.invalidateQueries({ queryKey: angelsQuery.queryKey });
    },
  });
}
