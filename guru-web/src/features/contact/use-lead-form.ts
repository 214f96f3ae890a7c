import { type RefObject, type SyntheticEvent, useEffect, useRef, useState } from "react";

import type { LeadFormState } from "../../site/types";
import { clearDraft, readDraft, writeDraft } from "./draft";
import { fingerprint, type Lead, type LeadErrors, leadErrors, leadFields, newKey } from "./lead";
import { sendLead } from "./send-lead";

export type Phase =
  | { kind: "writing" }
  | { kind: "sending" }
  | { kind: "sent"; message: string }
  | { kind: "failed"; message: string };

export interface LeadFormHandle {
  form: RefObject<HTMLFormElement | null>;
  phase: Phase;
  errors: LeadErrors;
  onSubmit: (event: SyntheticEvent<HTMLFormElement>) => void;
  onInput: (event: SyntheticEvent<HTMLFormElement>) => void;
  writeAnother: () => void;
}

/** The fields stay uncontrolled, so that words typed before the page came alive are never overwritten. */
export function useLeadForm(subdomain: string, posted: LeadFormState | null): LeadFormHandle {
  const form = useRef<HTMLFormElement>(null);
  const sending = useRef(false);
  const lastSent = useRef<{ key: string; fingerprint: string } | null>(null);
  const [phase, setPhase] = useState<Phase>(() => firstPhase(posted));
  const [errors, setErrors] = useState<LeadErrors>(() => posted?.errors ?? {});

  useEffect(() => {
    const element = form.current;
    if (element === null) return;
    // From here on our own messages speak; without JavaScript the browser's do.
    element.noValidate = true;
    const draft = readDraft();
    if (draft === null) return;
    if (draft.key !== null && draft.fingerprint !== null) lastSent.current = { key: draft.key, fingerprint: draft.fingerprint };
    restore(element, draft.lead);
  }, [phase.kind]);

  async function send(element: HTMLFormElement): Promise<void> {
    const lead = readForm(element);
    const found = leadErrors(lead);
    setErrors(found);
    if (Object.keys(found).length > 0) {
      setPhase({ kind: "writing" });
      focusFirst(element, found);
      return;
    }
    const print = fingerprint(lead);
    const sent = lastSent.current?.fingerprint === print ? lastSent.current : { key: newKey(), fingerprint: print };
    lastSent.current = sent;
    writeDraft({ lead, ...sent });
    setPhase({ kind: "sending" });
    const answer = await sendLead(subdomain, lead, sent.key, window.location.pathname);
    if (answer.kind === "sent") {
      clearDraft();
      setPhase({ kind: "sent", message: answer.message });
      return;
    }
    setPhase({ kind: "failed", message: answer.message });
    if (answer.kind === "refused") {
      setErrors(answer.errors);
      focusFirst(element, answer.errors);
    }
  }

  return {
    form,
    phase,
    errors,
    onSubmit(event) {
      event.preventDefault();
      // A second click comes before React has disabled the button.
      if (sending.current) return;
      sending.current = true;
      void send(event.currentTarget).finally(() => {
        sending.current = false;
      });
    },
    onInput(event) {
      const lead = readForm(event.currentTarget);
      writeDraft({ lead, key: lastSent.current?.key ?? null, fingerprint: lastSent.current?.fingerprint ?? null });
      const field = event.target instanceof Element ? event.target.getAttribute("name") : null;
      // SPEC 5: errors clear when the field is edited.
      setErrors((before) => Object.fromEntries(Object.entries(before).filter(([name]) => name !== field)));
    },
    writeAnother() {
      setErrors({});
      setPhase({ kind: "writing" });
    },
  };
}

function firstPhase(posted: LeadFormState | null): Phase {
  if (posted === null) return { kind: "writing" };
  if (posted.sent) return { kind: "sent", message: posted.message ?? "" };
  return posted.message === null ? { kind: "writing" } : { kind: "failed", message: posted.message };
}

function readForm(element: HTMLFormElement): Lead {
  const data = new FormData(element);
  const text = (name: string): string => {
    const value = data.get(name);
    return typeof value === "string" ? value : "";
  };
  return {
    name: text("name"),
    email: text("email"),
    phone: text("phone"),
    serviceId: text("serviceId"),
    message: text("message"),
    consent: data.get("consent") !== null,
    website: text("website"),
  };
}

/** Puts back what an earlier visit left, into fields that are still empty. */
function restore(element: HTMLFormElement, lead: Partial<Lead>): void {
  for (const field of leadFields) {
    const control = element.elements.namedItem(field);
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

function focusFirst(element: HTMLFormElement, errors: LeadErrors): void {
  const first = leadFields.find((field) => errors[field] !== undefined);
  const control = first === undefined ? null : element.elements.namedItem(first);
  if (control instanceof HTMLElement) control.focus();
}
