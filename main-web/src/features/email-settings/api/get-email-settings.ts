import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import type { components } from "@porchlight/shared/api.gen";

export type EmailSettings = components["schemas"]["EmailSettingsData"];
export type EmailSetting = components["schemas"]["EmailSettingItem"];

export const emailSettingsQuery = (token: string) =>
  queryOptions({
    queryKey: ["email-settings", token],
    queryFn: ({ signal }) => api.GET("/email-settings/{token}", { params: { path: { token } }, signal }),
  });

/** Get which emails a person gets. The token is in the links of their emails. */
export function useEmailSettings(token: string) {
  return useQuery(emailSettingsQuery(token));
}
