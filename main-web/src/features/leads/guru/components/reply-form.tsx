import { Send } from "lucide-react";
import { useRef, type ChangeEvent } from "react";
import { useForm } from "react-hook-form";
import { createIdempotencyKey } from "@/lib/create-idempotency-key";
import { Button } from "@/components/ui/button";
import { Field, TextArea } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { toast } from "@/lib/toast-store";
import { ButtonRow } from "@/components/ui/stack";
import { SectionCard } from "@/components/ui/section-card";
import { useReplyToLead } from "../api/reply-to-lead";
import type { ConsoleLead } from "../lib/types";
import { isAddressBlocked, replyErrorMessage } from "../lib/reply-errors";

/** The reply to a lead. What is typed stays in this tab until it is sent. */
export function ReplyForm({ lead }: { lead: ConsoleLead }) {
  const draftKey = `porchlight.answer.${lead.id}`;
  const reply = useReplyToLead(lead.id);
  const form = useForm({ defaultValues: { body: sessionStorage.getItem(draftKey) ?? "" } });
  const { errors } = form.formState;
  const isBlocked = lead.addressState === "blocked" || isAddressBlocked(reply.error);
  // One key per text: retrying after a lost response does not send the reply twice.
  const attempt = useRef({ text: "", key: "" });

  async function send(values: { body: string }) {
    const text = values.body.trim();
    if (attempt.current.text !== text) attempt.current = { text, key: createIdempotencyKey() };
    try {
      await reply.mutateAsync({ body: text, idempotencyKey: attempt.current.key });
      attempt.current = { text: "", key: "" };
      sessionStorage.removeItem(draftKey);
      form.reset({ body: "" });
      toast.success(`Your reply to ${lead.name} is on its way.`);
    } catch {
      // The error is shown below; the text stays.
    }
  }

  return (
    <SectionCard id="lead-answer" title={lead.answers.length ? "Reply again" : "Reply"}>
      <Field
        label={`Your reply to ${lead.name}`}
        hint="We'll include their message. Replies go to your contact email."
        error={errors.body?.message}
      >
        <TextArea
          rows={6}
          maxLength={10_000}
          {...form.register("body", {
            validate: (body) => body.trim() !== "" || "Please write a reply first.",
            onChange: (event: ChangeEvent<HTMLTextAreaElement>) => sessionStorage.setItem(draftKey, event.target.value),
          })}
        />
      </Field>
      {isBlocked ? (
        <Notice tone="danger">
          This person doesn't want email from your site, so we can't send them a reply.
          {reply.isError && " Your text stays here."}
        </Notice>
      ) : (
        reply.isError && <Notice tone="danger">{replyErrorMessage(reply.error)}</Notice>
      )}
      <ButtonRow>
        <Button disabled={isBlocked} loading={reply.isPending} onClick={() => void form.handleSubmit(send)()}>
          {!reply.isPending && <Send size={16} aria-hidden="true" />}
          Send reply
        </Button>
      </ButtonRow>
    </SectionCard>
  );
}
