import { useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field, Input, TextArea } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { Skeleton } from "@/components/ui/skeleton";
import { ErrorState } from "@/components/ui/state";
import { Stack } from "@/components/ui/stack";
import { useCreateOrderInvoice } from "../api/create-order-invoice";
import { useOrderInvoices, type Company, type Invoice, type OrderInvoices } from "../api/get-order-invoices";
import type { Order } from "../api/get-orders";
import styles from "./invoice-dialog.module.css";
import { fieldErrors } from "@porchlight/shared/client";
import { formatLocalDate } from "@porchlight/shared/format/dates";
import { formatCents } from "@porchlight/shared/format/money";

const FORM = "invoice-form";
const MISSING: Partial<Company> = { name: "Enter the company's name.", address: "Enter the company's address." };

/** Get an invoice of an order for a company, and see those that were issued. What was typed stays after an error. */
export function InvoiceDialog({ order, onClose }: { order: Order; onClose: () => void }) {
  const invoices = useOrderInvoices(order.id);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Invoice"
      description={`For ${order.serviceName} with ${order.guruName}, made out to your company.`}
    >
      {invoices.data ? (
        <InvoiceForm order={order} data={invoices.data} onClose={onClose} />
      ) : invoices.isError ? (
        <ErrorState
          title="We couldn't load your invoices"
          message={invoices.error.message}
          onRetry={() => void invoices.refetch()}
          retrying={invoices.isFetching}
        />
      ) : (
        <div aria-busy="true">
          <p className="visually-hidden" role="status">
            Loading your invoices...
          </p>
          <Skeleton height="12rem" radius="md" />
        </div>
      )}
    </Dialog>
  );
}

function InvoiceForm({ order, data, onClose }: { order: Order; data: OrderInvoices; onClose: () => void }) {
  const create = useCreateOrderInvoice(order.id);
  const latest = data.invoices.find(({ kind }) => kind !== "credit_note");
  const [values, setValues] = useState(latest?.buyer ?? data.company);
  const [problems, setProblems] = useState<Partial<Company>>({});
  const [result, setResult] = useState("");
  const form = useRef<HTMLFormElement>(null);

  function refuse(found: Partial<Company>) {
    setProblems(found);
    const first = (["name", "address", "taxId"] as const).find((name) => found[name] !== undefined);
    const field = form.current?.elements.namedItem(first ?? "");
    if (field instanceof HTMLElement) field.focus();
  }

  function submit() {
    const typed = { name: values.name.trim(), address: values.address.trim(), taxId: values.taxId.trim() };
    const missing = Object.fromEntries(
      (["name", "address"] as const).filter((name) => typed[name] === "").map((name) => [name, MISSING[name]]),
    );
    setResult("");
    if (Object.keys(missing).length > 0) {
      refuse(missing);
      return;
    }
    const before = data.invoices[0]?.id;
    create.mutate(typed, {
      onSuccess: ({ invoices: [first] }) => {
        if (first) setResult(first.id === before ? "You have this invoice already." : `${nameOf(first)} is ready.`);
      },
      onError: (reason) => refuse(fieldErrors(reason)),
    });
  }

  const field = (name: keyof Company) => ({
    name,
    value: values[name],
    onChange: (event: { target: { value: string } }) => {
      setValues((current) => ({ ...current, [name]: event.target.value }));
      setProblems((current) => ({ ...current, [name]: undefined }));
    },
  });
  return (
    <Stack>
      {data.invoices.length > 0 && (
        <ul className={styles.list} aria-label="Invoices">
          {data.invoices.map((invoice) => (
            <li key={invoice.id}>
              <a href={`/api/invoices/${invoice.id}/invoice.pdf`} download>
                {nameOf(invoice)}
              </a>
              <p className={styles.note}>{factsOf(invoice)}</p>
            </li>
          ))}
        </ul>
      )}
      <form
        id={FORM}
        ref={form}
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Field label="Company name" error={problems.name}>
          <Input autoComplete="organization" maxLength={200} {...field("name")} />
        </Field>
        <Field label="Address" error={problems.address}>
          <TextArea rows={3} autoComplete="street-address" maxLength={500} {...field("address")} />
        </Field>
        <Field label="Tax or VAT ID (optional)" error={problems.taxId}>
          <Input autoComplete="off" maxLength={40} {...field("taxId")} />
        </Field>
        <p className={styles.note}>
          {latest
            ? "Another company, or a refund since, gets a new number. The former invoice stays as it is."
            : `${order.guruName} sees the company on the invoice. We remember it for your next one.`}
        </p>
        {create.isError && Object.keys(fieldErrors(create.error)).length === 0 && (
          <Notice tone="danger">{create.error.message}</Notice>
        )}
        {result && <Notice tone="success">{result}</Notice>}
        <div className={styles.buttons}>
          <Button type="submit" loading={create.isPending}>
            {latest ? "Update invoice" : "Get invoice"}
          </Button>
          <Button variant="ghost" onClick={onClose}>
            Close
          </Button>
        </div>
      </form>
    </Stack>
  );
}

const KINDS: Record<Invoice["kind"], string> = {
  invoice: "Invoice",
  correction: "Corrected invoice",
  credit_note: "Credit note",
};

const nameOf = ({ kind, number }: Invoice) => `${KINDS[kind]} ${number}`;

function factsOf({ kind, amountCents, issuedOn, buyer, corrects }: Invoice): string {
  const amount = formatCents(kind === "credit_note" ? -amountCents : amountCents);
  const named = corrects === null ? "" : kind === "correction" ? `, replaces ${corrects}` : `, for ${corrects}`;
  return `${amount}, ${buyer.name}, ${formatLocalDate(`${issuedOn}T12:00:00`)}${named}`;
}
