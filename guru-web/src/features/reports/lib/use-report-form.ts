import { type RefObject, type SyntheticEvent, useRef, useState } from "react";

import { createIdempotencyKey } from "../../../lib/idempotency-key";
import type { PostedForm } from "../../../lib/types";
import { useEarlyForm } from "../../../lib/use-early-form";
import { createReport, type Report } from "../api/create-report";
import { REASONS } from "./reasons";

/** The id of the form element. */
export const REPORT_ID = "report";

/** `checking`: computing the proof of work. `sent`: the page that thanks is loading. */
export type ReportFormStatus = "editing" | "sending" | "checking" | "sent";

export interface ReportFormState {
  formRef: RefObject<HTMLFormElement | null>;
  status: ReportFormStatus;
  message: string | null;
  errors: Record<string, string>;
  onSubmit: (event: SyntheticEvent<HTMLFormElement>) => void;
}

/** State of the report form, whose fields stay uncontrolled. Without JavaScript the browser posts it. */
export function useReportForm(reported: Pick<Report, "kind" | "name">, posted: PostedForm | null): ReportFormState {
  const formRef = useEarlyForm(REPORT_ID);
  const [status, setStatus] = useState<ReportFormStatus>("editing");
  const [message, setMessage] = useState(posted?.message ?? null);
  const [errors, setErrors] = useState(posted?.errors ?? {});
  // One key per content: pressing again after an error does not report twice.
  const attempt = useRef({ content: "", key: "" });
  const isSending = useRef(false);

  async function submit(form: HTMLFormElement): Promise<void> {
    const data = new FormData(form);
    const text = (name: string): string => {
      const value = data.get(name);
      return typeof value === "string" ? value : "";
    };
    const reason = REASONS.find(([value]) => value === text("reason"))?.[0];
    if (reason === undefined) return; // The browser sends no form without one.
    const report = { ...reported, reason, details: text("details").trim(), website: text("website") };
    const content = JSON.stringify(report);
    if (attempt.current.content !== content) attempt.current = { content, key: createIdempotencyKey() };
    setStatus("sending");
    setMessage(null);
    const result = await createReport(report, attempt.current.key, () => setStatus("checking"));
    if (result.isSent) {
      setStatus("sent");
      window.location.assign("/report/sent");
      return;
    }
    setStatus("editing");
    setMessage(result.message);
    setErrors(result.errors);
    const first = ["reason", "details"].find((name) => result.errors[name] !== undefined);
    const control = first === undefined ? null : form.elements.namedItem(first);
    if (control instanceof HTMLElement) control.focus();
  }

  return {
    formRef,
    status,
    message,
    errors,
    onSubmit(event) {
      event.preventDefault();
      // A second click can arrive before React re-renders the button.
      if (isSending.current) return;
      isSending.current = true;
      void submit(event.currentTarget).finally(() => {
        isSending.current = false;
      });
    },
  };
}
