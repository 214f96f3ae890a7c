import { useState } from "react";
import { onSettled } from "@/lib/on-settled";
import { Button } from "@/components/ui/button";
import { Field, TextArea } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { toast } from "@/lib/toast-store";
import { MAX_WORDS, useReviewDraft } from "../lib/review-draft";
import styles from "./review-form.module.css";

type ReplyFormProps = {
  /** What is replied to: names the draft. */
  of: string;
  reply: string;
  /** Who reads the reply. */
  hint: string;
  save: (body: string) => Promise<unknown>;
  pending: boolean;
  error: Error | null;
};

/** The one reply to a review: its text, and the form to write or change it. */
export function ReplyForm({ of, reply, hint, save, pending, error }: ReplyFormProps) {
  const [isOpen, setIsOpen] = useState(false);
  const draft = useReviewDraft(`reply.${of}`, { stars: 0, body: reply, privateNote: "" });
  if (!isOpen) {
    return (
      <div>
        <Button variant="secondary" size="sm" onClick={() => setIsOpen(true)}>
          {reply ? "Change your reply" : "Reply"}
        </Button>
      </div>
    );
  }
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSettled(save(draft.values.body.trim()), () => {
          draft.forget();
          setIsOpen(false);
          toast.success(draft.values.body.trim() ? "Your reply is saved." : "Your reply is removed.");
        });
      }}
    >
      <Field label="Your reply" hint={hint}>
        <TextArea
          rows={3}
          maxLength={MAX_WORDS}
          value={draft.values.body}
          onChange={(event) => draft.change({ body: event.target.value })}
        />
      </Field>
      {error && <Notice tone="danger">{error.message}</Notice>}
      <div className={styles.buttons}>
        <Button type="submit" size="sm" loading={pending}>
          Save reply
        </Button>
        <Button variant="ghost" size="sm" onClick={() => setIsOpen(false)}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
