import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "./api-client";

export type FirebaseSettings = {
  projectId: string;
  apiKey: string;
  authDomain: string;
  /** URL of the local Auth emulator; null in production. */
  emulatorUrl: string | null;
};

export type OperatorContact = { name: string; address: string; phone: string; email: string };

/** The public configuration of this installation. */
export type PublicConfig = {
  /** The operator's contact details; empty texts are not shown. */
  operator: OperatorContact;
  /** null: no identity provider is configured; the app runs in offline mode. */
  firebase: FirebaseSettings | null;
  /** Whether a payment provider is configured. */
  payments?: { available: boolean };
  stripe: { publishableKey: string; pricingTableId: string; scriptUrl: string } | null;
  flags: Record<string, boolean>;
};

export const configQuery = queryOptions({
  queryKey: ["config"],
  queryFn: ({ signal }): Promise<PublicConfig> => api.GET("/config", { signal }),
  staleTime: Infinity,
  gcTime: Infinity,
});

export function useConfig() {
  return useQuery(configQuery);
}

/** Return whether payments are set up; assumed until the configuration has loaded. */
export function usePaymentsAvailable(): boolean {
  return useConfig().data?.payments?.available ?? true;
}
