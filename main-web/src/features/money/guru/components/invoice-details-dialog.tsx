import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field, Input, TextArea } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { Stack } from "@/components/ui/stack";
import { toast } from "@/lib/toast-store";
import { useUpdateInvoiceDetails } from "../api/update-invoice-details";
import type { InvoiceParty } from "../lib/types";
import { fieldErrors } from "@porchlight/shared/client";

/** Changes what the guru's next invoices say about the guru. The input is kept until it is saved. */
export function InvoiceDetailsDialog({ details, onClose }: { details: InvoiceParty; onClose: () => void }) {
  const update = useUpdateInvoiceDetails();
  const [values, setValues] = useState(details);
  const problems = fieldErrors(update.error);
  const set = (name: keyof InvoiceParty) => (event: { target: { value: string } }) =>
    setValues((current) => ({ ...current, [name]: event.target.value }));

  function submit() {
    update.mutate(values, {
      onSuccess: () => {
        toast.success("Saved. Your next invoices say so.");
        onClose();
      },
    });
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Invoice details"
      description="They appear on invoices from now on. Invoices that were issued stay as they are."
      footer={
        <>
          <Button variant="ghost" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form="invoice-details-form" loading={update.isPending}>
            Save details
          </Button>
        </>
      }
    >
      <Stack
        as="form"
        id="invoice-details-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Field label="Legal name" hint="Empty: the name of your site." error={problems.name}>
          <Input autoComplete="off" maxLength={200} value={values.name} onChange={set("name")} />
        </Field>
        <Field label="Address" error={problems.address}>
          <TextArea rows={3} autoComplete="off" maxLength={500} value={values.address} onChange={set("address")} />
        </Field>
        <Field label="Tax ID (optional)" error={problems.taxId}>
          <Input autoComplete="off" maxLength={40} value={values.taxId} onChange={set("taxId")} />
        </Field>
        {update.isError && Object.keys(problems).length === 0 && <Notice tone="danger">{update.error.message}</Notice>}
      </Stack>
    </Dialog>
  );
}
