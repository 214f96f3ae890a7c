import { useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field, Input } from "@/components/ui/field";
import styles from "./editor.module.css";

type PublishDialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  busy: boolean;
  /** @param at a future time in ISO 8601; null to publish now */
  onPublish: (at: string | null) => Promise<void>;
};

type PublishValues = { when: "now" | "later"; at: string };

const DAY_MS = 24 * 3_600_000;

/** Publishes a post now or at a later time. */
export function PublishDialog({ open, onOpenChange, busy, onPublish }: PublishDialogProps) {
  const [tomorrow] = useState(() => toDateTimeLocal(new Date(Date.now() + DAY_MS)));
  const form = useForm<PublishValues>({ defaultValues: { when: "now", at: tomorrow } });
  const { errors } = form.formState;
  const isLater = useWatch({ control: form.control, name: "when" }) === "later";

  const publish = form.handleSubmit(({ when, at }) => onPublish(when === "later" ? new Date(at).toISOString() : null));

  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Publish this post"
      footer={
        <>
          <Button variant="ghost" onClick={() => onOpenChange(false)}>
            Cancel
          </Button>
          <Button loading={busy} onClick={() => void publish()}>
            {isLater ? "Schedule" : "Publish now"}
          </Button>
        </>
      }
    >
      <fieldset className={styles.times}>
        <legend className="visually-hidden">When</legend>
        <label className={styles.time}>
          <input type="radio" value="now" {...form.register("when")} />
          <span>
            Now
            <small>Goes live right away.</small>
          </span>
        </label>
        <label className={styles.time}>
          <input type="radio" value="later" {...form.register("when")} />
          <span>
            Later
            <small>We'll publish it at the time you pick.</small>
          </span>
        </label>
      </fieldset>
      {isLater && (
        <Field
          label="Date and time"
          hint={`Your time zone: ${Intl.DateTimeFormat().resolvedOptions().timeZone}`}
          error={errors.at?.message}
        >
          <Input type="datetime-local" {...form.register("at", { validate: publishTimeError })} />
        </Field>
      )}
    </Dialog>
  );
}

function publishTimeError(at: string): string | undefined {
  const time = new Date(at).getTime();
  if (Number.isNaN(time)) return "Choose a date and time.";
  if (time <= Date.now()) return "Choose a future time.";
  return time > Date.now() + 730 * DAY_MS ? "Choose a time within the next two years." : undefined;
}

/** Format a time for `datetime-local`, in the local time zone. */
function toDateTimeLocal(time: Date): string {
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
