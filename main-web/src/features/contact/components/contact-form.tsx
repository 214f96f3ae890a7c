import { CircleCheck, Send } from "lucide-react";
import { useRef } from "react";
import { SupportPromise } from "@/features/billing/contract";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Field, Input, TextArea } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { createIdempotencyKey } from "@/lib/create-idempotency-key";
import { useTextForm } from "@/lib/use-text-form";
import styles from "./contact-form.module.css";
import type { ContactValues } from "../lib/contact-schema";
import { useSendContactMessage } from "../api/send-contact-message";
import { ApiError } from "@porchlight/shared/client";

const loadSchema = async () => (await import("../lib/contact-schema")).contactSchema;
const UNAVAILABLE = "We couldn't check your message. Please check your connection and try again.";
const VISIBLE = ["name", "email", "subject", "message"] as const;

function takeFocus(element: HTMLElement | null) {
  element?.focus();
}

/** A message to the operators. The input is kept until it is sent. */
export function ContactForm({ heading }: { heading: string }) {
  const send = useSendContactMessage();
  // One key per message: pressing again after an error does not store it twice.
  const idempotencyKey = useRef(createIdempotencyKey());
  const { busy, errors, fail, field, form } = useTextForm({ loadSchema, send: submit, unavailable: UNAVAILABLE });

  async function submit(message: ContactValues) {
    try {
      await send.mutateAsync({ idempotencyKey: idempotencyKey.current, message });
      idempotencyKey.current = createIdempotencyKey();
    } catch (reason) {
      if (!(reason instanceof ApiError)) return;
      fail(Object.fromEntries(VISIBLE.flatMap((name) => (reason.fields[name] ? [[name, reason.fields[name]]] : []))));
      // The key belongs to another message, or the message was invalid: the next attempt needs a new key.
      if (reason.status === 409 || reason.status === 422) idempotencyKey.current = createIdempotencyKey();
    }
  }

  if (send.isSuccess) {
    return (
      <Card padding="lg" className={styles.done} tabIndex={-1} ref={takeFocus}>
        <CircleCheck size={32} aria-hidden="true" />
        <h2 className={styles.heading}>We got your message</h2>
        <p className={styles.text}>Thanks! We'll reply by email within two business days.</p>
        <Button variant="secondary" onClick={() => send.reset()}>
          Send another message
        </Button>
      </Card>
    );
  }

  return (
    <Card padding="lg">
      <h2 className={styles.heading}>{heading}</h2>
      <SupportPromise />
      <form {...form} className={styles.form}>
        <div className={styles.pair}>
          <Field label="Your name" error={errors.name}>
            <Input autoComplete="name" {...field("name")} />
          </Field>
          <Field label="Email" error={errors.email}>
            <Input type="email" autoComplete="email" inputMode="email" {...field("email")} />
          </Field>
        </div>
        <Field label="Subject" error={errors.subject}>
          <Input {...field("subject")} />
        </Field>
        <Field label="Message" error={errors.message}>
          <TextArea rows={6} {...field("message")} />
        </Field>
        <div className={styles.honeypot} aria-hidden="true">
          <label htmlFor="contact-website">Website</label>
          <input id="contact-website" tabIndex={-1} autoComplete="off" {...field("website")} />
        </div>
        <p className={styles.checking} role="status">
          {send.isChecking && "Checking… This takes a few seconds while we get a lot of messages."}
        </p>
        {send.isError && <Notice tone="danger">{send.error.message}</Notice>}
        <Button type="submit" loading={busy} className={styles.send}>
          {!busy && <Send size={16} aria-hidden="true" />}
          Send message
        </Button>
      </form>
    </Card>
  );
}
