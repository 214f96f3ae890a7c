import { ExternalLink, Receipt } from "lucide-react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { NotAllShown } from "@/components/not-all-shown";
import { Card } from "@/components/ui/card";
import { Notice } from "@/components/ui/notice";
import { EmptyState } from "@/components/ui/state";
import { paymentErrorText } from "@/lib/payment-error-text";
import type { Billing } from "../api/get-billing";
import { useOpenInvoice } from "../api/open-invoice";
import styles from "./plan.module.css";
import { formatCents } from "@porchlight/shared/format/money";
import { formatLocalDate } from "@porchlight/shared/format/dates";

type Invoice = Billing["invoices"][number];

const STATES: Record<Invoice["state"], [string, "good" | "danger" | "neutral"]> = {
  paid: ["Paid", "good"],
  open: ["Not paid yet", "danger"],
  uncollectible: ["Not paid", "danger"],
  void: ["Canceled", "neutral"],
};

type InvoicesProps = { invoices: Invoice[]; hasMore: boolean; available: boolean };

/** The invoices, newest first, each with its file. */
export function Invoices({ invoices, hasMore, available }: InvoicesProps) {
  const file = useOpenInvoice();
  return (
    <Card as="section" padding="lg" className={styles.card} aria-labelledby="invoices-heading">
      <h2 id="invoices-heading" className={styles.heading}>
        Invoices
      </h2>
      {file.isError && <Notice tone="danger">{paymentErrorText(file.error)}</Notice>}
      {invoices.length === 0 ? (
        <EmptyState icon={Receipt} title="No invoices yet">
          They show up here after your first payment.
        </EmptyState>
      ) : (
        <ul className={styles.options}>
          {invoices.map((invoice) => (
            <li key={invoice.id} className={styles.option}>
              <div>
                <p className={styles.optionName}>{formatCents(invoice.totalCents)}</p>
                <p className={styles.soft}>
                  {formatLocalDate(invoice.issuedAt)}
                  {invoice.number && ` · ${invoice.number}`}
                </p>
              </div>
              <Badge tone={STATES[invoice.state][1]}>{STATES[invoice.state][0]}</Badge>
              {available && (
                <Button
                  variant="secondary"
                  size="sm"
                  loading={file.isPending && file.variables === invoice.id}
                  onClick={() => file.mutate(invoice.id)}
                >
                  Download
                  <span className="visually-hidden">
                    {" "}
                    {invoice.number || formatLocalDate(invoice.issuedAt)} (opens in a new tab)
                  </span>
                  <ExternalLink size={15} aria-hidden="true" />
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {hasMore && <NotAllShown count={invoices.length} what="newest" />}
    </Card>
  );
}
