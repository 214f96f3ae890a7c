import { zodResolver } from "@hookform/resolvers/zod";
import { CircleCheck, Send } from "lucide-react";
import { useRef } from "react";
import { useForm } from "react-hook-form";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { Field, Input, TextArea } from "../../ui/field";
import { Notice } from "../../ui/notice";
import { newKey } from "../../kit/new-key";
import styles from "./contact-form.module.css";
import { contactSchema, type ContactValues } from "./contact-schema";
import { usePostContact } from "./post-contact";
import { ApiError } from "@porchlight/shared/client";

const EMPTY: ContactValues = { name: "", email: "", subject: "", message: "", website: "" };
const VISIBLE = ["name", "email", "subject", "message"] as const;

function takeFocus(element: HTMLElement | null) {
  element?.focus();
}

/** A message to the operators. What was typed stays until it has arrived. */
export function ContactForm({ heading }: { heading: string }) {
  const send = usePostContact();
  // One key per message: pressing again after a failure cannot store it twice.
  const key = useRef(newKey());
  const form = useForm<ContactValues>({ resolver: zodResolver(contactSchema), defaultValues: EMPTY });
  const { errors } = form.formState;

  async function submit(message: ContactValues) {
    try {
      await send.mutateAsync({ key: key.current, message });
      key.current = newKey();
    } catch (reason) {
      if (!(reason instanceof ApiError)) return;
      for (const name of VISIBLE) {
        const words = reason.fields[name];
        if (words) form.setError(name, { message: words }, { shouldFocus: true });
      }
      // A refused key belongs to a different message: the next press is a new attempt.
      if (reason.status === 409 || reason.status === 422) key.current = newKey();
    }
  }

  if (send.isSuccess) {
    return (
      <Card padding="lg" className={styles.done} tabIndex={-1} ref={takeFocus}>
        <CircleCheck size={32} aria-hidden="true" />
        <h2 className={styles.heading}>Your message is with us</h2>
        <p className={styles.text}>Thank you. We answer within two working days, by email.</p>
        <Button
          variant="secondary"
          onClick={() => {
            form.reset(EMPTY);
            send.reset();
          }}
        >
          Write another
        </Button>
      </Card>
    );
  }

  return (
    <Card padding="lg">
      <h2 className={styles.heading}>{heading}</h2>
      <form className={styles.form} noValidate onSubmit={(event) => void form.handleSubmit(submit)(event)}>
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
        {send.isError && <Notice tone="danger">{send.error.message}</Notice>}
        <Button type="submit" loading={send.isPending} className={styles.send}>
          {!send.isPending && <Send size={16} aria-hidden="true" />}
          Send message
        </Button>
      </form>
    </Card>
  );
}
