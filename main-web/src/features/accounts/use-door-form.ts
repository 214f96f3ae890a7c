import { useRef, useState, type SubmitEvent } from "react";
import type { ZodMiniType } from "zod/mini";
import { toast } from "../../ui/toast-store";
import { authErrorText } from "@porchlight/shared/auth-errors";

const loadSchemas = () => import("./account-schemas");
type Schemas = Awaited<ReturnType<typeof loadSchemas>>;

/**
 * A form of a few plain fields that is judged when it is sent. The pages at the door are many people's first: they carry
 * no form library, and their rules come with the first field that is entered.
 * @param choose which of the accounts' schemas judges
 * @param send gets what passed
 */
export function useDoorForm<Values extends Record<string, string>>(
  choose: (schemas: Schemas) => ZodMiniType<Values>,
  send: (values: Values) => Promise<void>,
) {
  type Name = keyof Values & string;
  const element = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<Partial<Record<Name, string>>>({});
  const [busy, setBusy] = useState(false);

  /** Puts the cursor into a field, what stands there selected. */
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
    const judged = choose(schemas).safeParse(Object.fromEntries(new FormData(form)));
    if (judged.success) {
      await send(judged.data);
      return;
    }
    const found: Partial<Record<Name, string>> = {};
    for (const { path, message } of judged.error.issues) found[path[0] as Name] ??= message;
    setErrors(found);
    const first = Array.from(form.elements).find((field) => "name" in field && found[field.name as Name] !== undefined);
    if (first) focus((first as HTMLInputElement).name);
  }

  return {
    errors,
    busy,
    focus,
    /** For the form element. */
    form: {
      ref: element,
      noValidate: true,
      onSubmit: (event: SubmitEvent<HTMLFormElement>) => {
        event.preventDefault();
        if (busy) return;
        setBusy(true);
        void judge(event.currentTarget).finally(() => setBusy(false));
      },
    },
    /** For a field of this name: its error goes when it is edited (SPEC 5). `entered`: what else its first entry brings. */
    field: (name: Name, entered?: () => void) => ({
      name,
      onFocus: () => {
        loadSchemas().catch(() => undefined);
        entered?.();
      },
      onChange: () => {
        if (errors[name] !== undefined) setErrors((before) => ({ ...before, [name]: undefined }));
      },
    }),
  };
}
