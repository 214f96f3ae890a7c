import { useRef, useState, type SubmitEvent } from "react";
import type { ZodMiniType } from "zod/mini";
import { toast } from "@/lib/toast-store";

type TextForm<Values extends Record<string, string>> = {
  /** Loads the schema; the browser does so once. */
  loadSchema: () => Promise<ZodMiniType<Values>>;
  /** Receives the valid values. */
  send: (values: Values) => Promise<void>;
  /** Said where the schema cannot be loaded. */
  unavailable: string;
};

/**
 * Handle a form of a few text fields that is validated on submit. For landing pages, which have a budget of 130 kB of
 * compressed JavaScript: they do not load react-hook-form (15 kB), and load their schemas (13 kB) on first focus.
 */
export function useTextForm<Values extends Record<string, string>>({
  loadSchema,
  send,
  unavailable,
}: TextForm<Values>) {
  type Name = keyof Values & string;
  const element = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<Partial<Record<Name, string>>>({});
  const [busy, setBusy] = useState(false);

  /** Move focus to a field and select its text. */
  function focus(name: Name) {
    const field = element.current?.elements.namedItem(name);
    if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return;
    field.focus();
    field.select();
  }

  async function judge(form: HTMLFormElement) {
    const schema = await loadSchema().catch(() => null);
    if (!schema) {
      toast.error(unavailable);
      return;
    }
    const judged = schema.safeParse(Object.fromEntries(new FormData(form)));
    if (judged.success) {
      setErrors({});
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
        loadSchema().catch(() => undefined);
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
