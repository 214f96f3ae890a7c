import { zodResolver } from "@hookform/resolvers/zod";
import { CircleCheck, Send } from "lucide-react";
import { useRef } from "react";
import { useForm } from "react-hook-form";
import { SupportPromise } from "@/features/billing/contract";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Field, Input, TextArea } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { createIdempotencyKey } from "@/lib/create-idempotency-key";
import styles from "./contact-form.module.css";
import { contactSchema, type ContactValues } from "../lib/contact-schema";
import { useSendContactMessage } from "../api/send-contact-message";
import { ApiError } from "@porchlight/shared/client";

const EMPTY: ContactValues = { name: "", email: "", subject: "", message: "", website: "" };
const VISIBLE = ["name", "email", "subject", "message"] as const;

function takeFocus(element: HTMLElement | null) {
  element?.focus();
}

/** A message to the operators. The input is kept until it is sent. */
export function ContactForm({ heading }: { heading: string }) {
  const send = useSendContactMessage();
  // One key per message: pressing again after an error does not store it twice.
  const idempotencyKey = useRef(createIdempotencyKey());
  const form = useForm<ContactValues>({ resolver: zodResolver(contactSchema), defaultValues: EMPTY });
  const { errors } = form.formState;

  async function submit(message: ContactValues) {
    try {
      await send.mutateAsync({ idempotencyKey: idempotencyKey.current, message });
      idempotencyKey.current = createIdempotencyKey();
    } catch (reason) {
      if (!(reason instanceof ApiError)) return;
      for (const name of VISIBLE) {
        const fieldError = reason.fields[name];
        if (fieldError) form.setError(name, { message: fieldError }, { shouldFocus: true });
      }
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
        <Button
          variant="secondary"
          onClick={() => {
            form.reset(EMPTY);
            send.reset();
          }}
        >
          Send another message
        </Button>
      </Card>
    );
  }

  return (
    <Card padding="lg">
      <h2 className={styles.heading}>{heading}</h2>
      <SupportPromise />
      <form
        className={styles.form}
        method="dialog"
        noValidate
        onSubmit={(event) => void form.handleSubmit(submit)(event)}
      >
        <div className={styles.pair}>
          <Field label="Your name" error={errors.name?.message}>
            <Input autoComplete="name" {...form.register("name")} />
          </Field>
          <Field label="Email" error={errors.email?.message}>
            <Input type="email" autoComplete="email" inputMode="email" {...form.register("email")} />
          </Field>
        </div>
        <Field label="Subject" error={errors.subject?.message}>
          <Input {...form.register("subject")} />
        </Field>
        <Field label="Message" error={errors.message?.message}>
          <TextArea rows={6} {...form.register("message")} />
        </Field>
        <div className={styles.honeypot} aria-hidden="true">
          <label htmlFor="contact-website">Website</label>
          <input id="contact-website" tabIndex={-1} autoComplete="off" {...form.register("website")} />
        </div>
        <p className={styles.checking} role="status">
          {send.isChecking && "Checking… This takes a few seconds while we get a lot of messages."}
        </p>
        {send.isError && <Notice tone="danger">{send.error.message}</Notice>}
        <Button type="submit" loading={send.isPending} className={styles.send}>
          {!send.isPending && <Send size={16} aria-hidden="true" />}
          Send message
        </Button>
      </form>
    </Card>
  );
}
