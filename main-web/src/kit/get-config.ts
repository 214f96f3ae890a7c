import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "./api";

export type FirebaseSettings = {
  projectId: string;
  apiKey: string;
  authDomain: string;
  /** Where the local Auth emulator answers; null in production. */
  emulatorUrl: string | null;
};

/** What the server tells every visitor about this installation. */
export type PublicConfig = {
  /** null: the identity service is not configured, the app runs in offline mode. */
  firebase: FirebaseSettings | null;
  stripe: { publishableKey: string; pricingTableId: string } | null;
  flags: Record<string, boolean>;
};

export const configQuery = queryOptions({
  queryKey: ["config"],
  queryFn: ({ signal }) => api.get<PublicConfig>("/config", { signal }),
  staleTime: Infinity,
  gcTime: Infinity,
});

export function useConfig() {
  return useQuery(configQuery);
}
