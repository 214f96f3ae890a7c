import { mapLeadDetails } from "@porchlight/shared/lead-details";
import { type RefObject, type SyntheticEvent, useEffect, useRef, useState } from "react";

import { createIdempotencyKey } from "../../../lib/idempotency-key";
import type { PostedForm } from "../../../lib/types";
import { useEarlyForm } from "../../../lib/use-early-form";
import { createLead } from "../api/create-lead";
import { type Lead, LEAD_ID, type LeadErrors, leadErrors, leadFields, leadFingerprint } from "./lead";
import { clearDraft, readDraft, writeDraft } from "./lead-draft";

export type LeadFormStatus =
  | { kind: "editing" }
  | { kind: "sending" }
  /** Solving the proof of work. */
  | { kind: "checking" }
  | { kind: "sent"; message: string }
  | { kind: "failed"; message: string };

export interface LeadFormState {
  formRef: RefObject<HTMLFormElement | null>;
  status: LeadFormStatus;
  errors: LeadErrors;
  onSubmit: (event: SyntheticEvent<HTMLFormElement>) => void;
  onInput: (event: SyntheticEvent<HTMLFormElement>) => void;
  reset: () => void;
}

/** State of the lead form. Its fields stay uncontrolled, so that hydration does not overwrite text entered before it. */
export function useLeadForm(subdomain: string, posted: PostedForm | null): LeadFormState {
  const formRef = useEarlyForm(LEAD_ID);
  const isSending = useRef(false);
  const startsAgain = useRef(false);
  const lastAttempt = useRef<{ key: string; fingerprint: string } | null>(null);
  const [status, setStatus] = useState<LeadFormStatus>(() => initialStatus(posted));
  const [errors, setErrors] = useState<LeadErrors>(() => posted?.errors ?? {});

  useEffect(() => {
    const form = formRef.current;
    if (form === null) return;
    // After hydration the form shows its own error texts; without JavaScript the browser validates.
    form.noValidate = true;
    if (startsAgain.current) form.querySelector("input")?.focus();
    startsAgain.current = false;
    const draft = readDraft();
    if (draft === null) return;
    if (draft.key !== null && draft.fingerprint !== null)
      lastAttempt.current = { key: draft.key, fingerprint: draft.fingerprint };
    restoreDraft(form, draft.lead);
  }, [status.kind]);

  async function submit(form: HTMLFormElement): Promise<void> {
    const lead = readForm(form);
    const invalid = leadErrors(lead);
    setErrors(invalid);
    if (Object.keys(invalid).length > 0) {
      setStatus({ kind: "editing" });
      focusFirstError(form, invalid);
      return;
    }
    // A retry of the same lead reuses the key, so that the API creates it once.
    const fingerprint = leadFingerprint(lead);
    const attempt =
      lastAttempt.current?.fingerprint === fingerprint
        ? lastAttempt.current
        : { key: createIdempotencyKey(), fingerprint };
    lastAttempt.current = attempt;
    writeDraft({ lead, ...attempt });
    setStatus({ kind: "sending" });
    const result = await createLead(subdomain, lead, attempt.key, window.location.pathname, () =>
      setStatus({ kind: "checking" }),
    );
    if (result.kind === "sent") {
      clearDraft();
      setStatus({ kind: "sent", message: result.message });
      return;
    }
    setStatus({ kind: "failed", message: result.message });
    if (result.kind === "rejected") {
      setErrors(result.errors);
      focusFirstError(form, result.errors);
    }
  }

  return {
    formRef,
    status,
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
    onInput(event) {
      const lead = readForm(event.currentTarget);
      writeDraft({
        lead,
        key: lastAttempt.current?.key ?? null,
        fingerprint: lastAttempt.current?.fingerprint ?? null,
      });
      const field = event.target instanceof Element ? event.target.getAttribute("name") : null;
      // SPEC 5: errors clear when the field is edited.
      setErrors((before) => Object.fromEntries(Object.entries(before).filter(([name]) => name !== field)));
    },
    reset() {
      startsAgain.current = true;
      setErrors({});
      setStatus({ kind: "editing" });
    },
  };
}

/** Whether a form without JavaScript was sent. Otherwise `posted` is null or has only what the URL chose. */
export function hasAnswer(posted: PostedForm | null): posted is PostedForm & { message: string } {
  return posted !== null && posted.message !== null;
}

function initialStatus(posted: PostedForm | null): LeadFormStatus {
  if (!hasAnswer(posted)) return { kind: "editing" };
  return { kind: posted.sent ? "sent" : "failed", message: posted.message };
}

function readForm(form: HTMLFormElement): Lead {
  const data = new FormData(form);
  const text = (name: string): string => {
    const value = data.get(name);
    return typeof value === "string" ? value : "";
  };
  return {
    name: text("name"),
    email: text("email"),
    ...mapLeadDetails(text),
    serviceId: text("serviceId"),
    message: text("message"),
    consent: data.get("consent") !== null,
    website: text("website"),
  };
}

/** Fill empty fields from the draft of an earlier visit. */
function restoreDraft(form: HTMLFormElement, lead: Partial<Lead>): void {
  for (const field of leadFields) {
    const control = form.elements.namedItem(field);
    const value = lead[field];
    if (control instanceof HTMLInputElement && control.type === "checkbox") {
      if (value === true) control.checked = true;
    } else if (
      control instanceof HTMLInputElement ||
      control instanceof HTMLTextAreaElement ||
      control instanceof HTMLSelectElement
    ) {
      if (control.value === "" && typeof value === "string") control.value = value;
    }
  }
}

function focusFirstError(form: HTMLFormElement, errors: LeadErrors): void {
  const first = leadFields.find((field) => errors[field] !== undefined);
  const control = first === undefined ? null : form.elements.namedItem(first);
  if (control instanceof HTMLElement) control.focus();
}
