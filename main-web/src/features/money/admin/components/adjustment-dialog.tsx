import { useForm, useWatch } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field, Input, Select, TextArea } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { onSettled } from "@/lib/on-settled";
import { toast } from "@/lib/toast-store";
import { Options } from "@/features/admin/contract";
import detailStyles from "@/components/ui/details.module.css";
import type { AdjustmentPayload } from "../lib/types";
import { useCreateAdjustment } from "../api/create-adjustment";
import { ADJUSTMENT_KINDS } from "../lib/labels";
import { fieldErrors } from "@porchlight/shared/client";
import { parseMoney } from "@porchlight/shared/format/money";

type Values = { kind: AdjustmentPayload["kind"]; email: string; amount: string; reason: string };

const ofPerson = (kind: Values["kind"]) => kind === "write_off" || kind === "goodwill_credit";

/** Requests a correction of the books. The input is kept until it is saved. */
export function AdjustmentDialog({ onClose }: { onClose: () => void }) {
  const create = useCreateAdjustment();
  const form = useForm<Values>({ defaultValues: { kind: "write_off", email: "", amount: "", reason: "" } });
  const { errors } = form.formState;
  const kind = useWatch({ control: form.control, name: "kind" });

  const submit = form.handleSubmit((values) =>
    onSettled(
      create
        .mutateAsync({
          kind: values.kind,
          email: ofPerson(values.kind) ? values.email.trim() : "",
          cents: parseMoney(values.amount) ?? 0,
          reason: values.reason.trim(),
        })
        .then(({ state }) => {
          onClose();
          toast.success(state === "posted" ? "Posted." : "Requested. Someone else has to approve it.");
        }),
      () => undefined,
      (reason) => {
        const message = fieldErrors(reason).email;
        if (message) form.setError("email", { message }, { shouldFocus: true });
      },
    ),
  );

  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="Request an adjustment"
      description="Adjustments are posted at once until they add up to more than $100 in 24 hours, by you or for the person. After that, someone else has to approve them. Both of you need an admin key in your own name."
      width={560}
      footer={
        <>
          <Button variant="ghost" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form="adjustment-form" loading={create.isPending}>
            Request adjustment
          </Button>
        </>
      }
    >
      <form id="adjustment-form" className={detailStyles.body} noValidate onSubmit={(event) => void submit(event)}>
        <Field label="What to correct">
          <Select {...form.register("kind")}>
            <Options labels={ADJUSTMENT_KINDS} />
          </Select>
        </Field>
        {ofPerson(kind) && (
          <Field label="Their email address" error={errors.email?.message}>
            <Input
              type="email"
              autoComplete="off"
              maxLength={320}
              {...form.register("email", { validate: (text) => text.trim() !== "" || "Enter an email address." })}
            />
          </Field>
        )}
        <Field label="Amount ($)" error={errors.amount?.message}>
          <Input
            inputMode="decimal"
            autoComplete="off"
            {...form.register("amount", {
              validate: (text) => (parseMoney(text) ?? 0) > 0 || "Enter an amount above $0, such as 12.50.",
            })}
          />
        </Field>
        <Field label="Reason" hint="Recorded in the audit log." error={errors.reason?.message}>
          <TextArea
            rows={3}
            maxLength={1000}
            {...form.register("reason", { validate: (text) => text.trim() !== "" || "Please enter a reason." })}
          />
        </Field>
        {create.isError && !errors.email && <Notice tone="danger">{create.error.message}</Notice>}
      </form>
    </Dialog>
  );
}
