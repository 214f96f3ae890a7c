import { useState } from "react";
import { useForm } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { Field, Input, TextArea } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { Stack } from "@/components/ui/stack";
import { createIdempotencyKey } from "@/lib/create-idempotency-key";
import { onSettled } from "@/lib/on-settled";
import { toast } from "@/lib/toast-store";
import { useRefundPayment } from "../api/refund-payment";
import type { CardPaymentDetails } from "../lib/types";
import { formatCents, moneyInputValue, parseMoney } from "@porchlight/shared/format/money";

type Values = { amount: string; reason: string };

/** Returns a part of a payment to the card. What was typed is kept until it is sent. */
export function RefundForm({ payment: { payment, refundableCents } }: { payment: CardPaymentDetails }) {
  const [isOpen, setIsOpen] = useState(false);
  const [key, setKey] = useState(createIdempotencyKey);
  const refund = useRefundPayment(payment.id);
  const form = useForm<Values>({ defaultValues: { amount: moneyInputValue(refundableCents), reason: "" } });
  const { errors } = form.formState;

  const submit = form.handleSubmit(({ amount, reason }) => {
    const amountCents = parseMoney(amount) ?? 0;
    const refunded = { amountCents, keptCents: refundableCents, reason: reason.trim() };
    onSettled(refund.mutateAsync({ idempotencyKey: key, refund: refunded }), () => {
      toast.success(`${formatCents(amountCents)} is on its way back to the card.`);
      setIsOpen(false);
    });
  });

  if (!isOpen) {
    return (
      <div>
        <Button variant="secondary" size="sm" onClick={() => setIsOpen(true)}>
          Refund this payment
        </Button>
      </div>
    );
  }
  return (
    <Stack
      as="form"
      aria-label="Refund this payment"
      noValidate
      onChange={() => setKey(createIdempotencyKey())} // another amount is another request
      onSubmit={(event) => void submit(event)}
    >
      <Field
        label="Amount ($)"
        hint={`Up to ${formatCents(refundableCents)}. The guru's share and our fee are returned in proportion.`}
        error={errors.amount?.message}
      >
        <Input
          inputMode="decimal"
          autoComplete="off"
          {...form.register("amount", {
            validate: (text) => {
              const cents = parseMoney(text) ?? 0;
              if (cents <= 0) return "Enter an amount above $0, such as 12.50.";
              return cents <= refundableCents || `You can return up to ${formatCents(refundableCents)}.`;
            },
          })}
        />
      </Field>
      <Field label="Reason" hint="The person and the guru read it in their email." error={errors.reason?.message}>
        <TextArea
          rows={3}
          maxLength={500}
          {...form.register("reason", { validate: (text) => text.trim() !== "" || "Please enter a reason." })}
        />
      </Field>
      {refund.isError && <Notice tone="danger">{refund.error.message}</Notice>}
      <div>
        <Button type="submit" size="sm" loading={refund.isPending}>
          Refund
        </Button>{" "}
        <Button type="button" variant="ghost" size="sm" onClick={() => setIsOpen(false)}>
          Cancel
        </Button>
      </div>
    </Stack>
  );
}
