import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { emailSettingsQuery, type EmailSetting } from "./get-email-settings";

/** Turn a kind of email on or off, with the link of an email. */
export function useUpdateEmailSetting(token: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Pick<EmailSetting, "kind" | "isOn">) =>
      api.PUT("/email-settings/{token}", { params: { path: { token } }, body }),
    onSuccess: (settings) => queries.setQueryData(emailSettingsQuery(token).queryKey, settings),
  });
}
