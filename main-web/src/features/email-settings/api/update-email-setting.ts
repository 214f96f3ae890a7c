import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { emailSettingsQuery, emailSettingsUrl, type EmailSetting, type EmailSettings } from "./get-email-settings";

/** Turn a kind of email on or off. */
export function useUpdateEmailSetting(token: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ kind, isOn }: Pick<EmailSetting, "kind" | "isOn">) =>
      api.put<EmailSettings>(emailSettingsUrl(token), { body: { kind, isOn } }),
    onSuccess: (settings) => queries.setQueryData(emailSettingsQuery(token).queryKey, settings),
  });
}
