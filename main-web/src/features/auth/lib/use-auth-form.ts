import { useRef, useState, type SubmitEvent } from "react";
import type { ZodMiniType } from "zod/mini";
import { toast } from "@/lib/toast-store";
import { authErrorText } from "@porchlight/shared/auth-errors";

const loadSchemas = () => import("./auth-schemas");
type Schemas = Awaited<ReturnType<typeof loadSchemas>>;

/**
 * Handle a form of a few text fields that is validated on submit. The account pages are landing pages with a budget of
 * 130 kB of compressed JavaScript, so they do not load react-hook-form (15 kB), and load their schemas on first focus.
 * @param selectSchema selects the schema
 * @param send receives the valid values
 */
export function useAuthForm<Values extends Record<string, string>>(
  selectSchema: (schemas: Schemas) => ZodMiniType<Values>,
  send: (values: Values) => Promise<void>,
) {
  type Name = keyof Values & string;
  const element = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<Partial<Record<Name, string>>>({});
  const [busy, setBusy] = useState(false);

  /** Move focus to a field and select its text. */
  function focus(name: Name) {
    const field = element.current?.elements.namedItem(name);
    if (!(field instanceof HTMLInputElement)) return;
    field.focus();
    field.select();
  }

  async function judge(form: HTMLFormElement) {
    const schemas = await loadSchemas().catch(() => null);
    if (!schemas) {
      toast.error(authErrorText({ code: "network-request-failed" }));
      return;
    }
    const judged = selectSchema(schemas).safeParse(Object.fromEntries(new FormData(form)));
    if (judged.success) {
      await send(judged.data);
      return;
    }
    const newErrors: Partial<Record<Name, string>> = {};
    for (const { path, message } of judged.error.issues) newErrors[path[0] as Name] ??= message;
    fail(newErrors);
  }

  /** Show errors at their fields, and move focus to the first one. */
  function fail(newErrors: Partial<Record<Name, string>>) {
    setErrors(newErrors);
    const first = Array.from(element.current?.elements ?? []).find(
      (field) => "name" in field && newErrors[field.name as Name] !== undefined,
    );
    if (first) focus((first as HTMLInputElement).name);
  }

  return {
    errors,
    busy,
    focus,
    fail,
    /** Props of the form element. */
    form: {
      ref: element,
      noValidate: true,
      // Only the app can send it: sent without, it would put the password into the address.
      method: "dialog",
      onSubmit: (event: SubmitEvent<HTMLFormElement>) => {
        event.preventDefault();
        if (busy) return;
        setBusy(true);
        void judge(event.currentTarget).finally(() => setBusy(false));
      },
    },
    /** Props of a field. Its error is cleared when it is edited (SPEC 5). `entered` is called on its first focus. */
    field: (name: Name, entered?: () => void) => ({
      name,
      onFocus: () => {
        loadSchemas().catch(() => undefined);
        entered?.();
      },
      onChange: () => {
        // Both passwords have to be equal, so the edit of one clears what was said of the other.
        const judged = name === "password" ? [name, "confirmPassword"] : [name];
        if (judged.some((field) => errors[field as Name] !== undefined)) {
          setErrors((before) => ({ ...before, ...Object.fromEntries(judged.map((field) => [field, undefined])) }));
        }
      },
    }),
  };
}
