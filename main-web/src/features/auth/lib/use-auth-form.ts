import type { ZodMiniType } from "zod/mini";
import { useTextForm } from "@/lib/use-text-form";
import { authErrorText } from "@porchlight/shared/auth-errors";

const loadSchemas = () => import("./auth-schemas");
type Schemas = Awaited<ReturnType<typeof loadSchemas>>;

/**
 * Handle a form of the account pages.
 * @param selectSchema selects the schema
 * @param send receives the valid values
 */
export function useAuthForm<Values extends Record<string, string>>(
  selectSchema: (schemas: Schemas) => ZodMiniType<Values>,
  send: (values: Values) => Promise<void>,
) {
  return useTextForm({
    loadSchema: async () => selectSchema(await loadSchemas()),
    send,
    unavailable: authErrorText({ code: "network-request-failed" }),
  });
}
