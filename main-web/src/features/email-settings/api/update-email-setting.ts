import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { emailSettingsQuery, type EmailSetting } from "./get-email-settings";

/** Turn a kind of email on or off, for the signed-in user without a token. */
export function useUpdateEmailSetting(token: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Pick<EmailSetting, "kind" | "isOn">) =>
      token
        ? api.PUT("/email-settings/{token}", { params: { path: { token } }, body })
        : api.PUT("/email-settings", { body }),
    onSuccess: (settings) => queries.setQueryData(emailSettingsQuery(token).queryKey, settings),
  });
}
