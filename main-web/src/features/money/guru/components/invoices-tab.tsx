import { Download, FileText } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import {
  DataList,
  DataRow,
  MoreButton,
  PendingList,
  RowButtons,
  RowFacts,
  RowName,
  RowText,
} from "@/components/ui/data-list";
import { Notice } from "@/components/ui/notice";
import { SectionCard } from "@/components/ui/section-card";
import { EmptyState, ErrorState } from "@/components/ui/state";
import { Stack } from "@/components/ui/stack";
import { useInvoicePdf, useInvoices } from "../api/get-invoices";
import { useInvoiceDetails } from "../api/get-invoice-details";
import type { Invoice, InvoiceParty } from "../lib/types";
import { InvoiceDetailsDialog } from "./invoice-details-dialog";
import styles from "./invoices.module.css";
import { formatLocalDate } from "@porchlight/shared/format/dates";
import { formatCents } from "@porchlight/shared/format/money";

const KINDS: Record<Invoice["kind"], string> = {
  invoice: "Invoice",
  correction: "Corrected invoice",
  credit_note: "Credit note",
};

/** The invoices in the guru's name, and what they say about the guru. */
export function InvoicesTab() {
  return (
    <Stack>
      <Details />
      <InvoiceList />
    </Stack>
  );
}

function Details() {
  const details = useInvoiceDetails();
  const [isEditing, setIsEditing] = useState(false);
  return (
    <SectionCard
      id="invoice-details"
      title="Invoice details"
      hint="People who pay by card can get an invoice for their company, in your name. This is what it says about you."
    >
      {details.isPending && <PendingList rows={1} height="3rem" />}
      {details.isError && (
        <ErrorState
          title="We couldn't load your details"
          message={details.error.message}
          onRetry={() => void details.refetch()}
          retrying={details.isFetching}
        />
      )}
      {details.data && (
        <>
          <Party party={details.data} />
          <div>
            <Button variant="secondary" onClick={() => setIsEditing(true)}>
              Edit details
            </Button>
          </div>
          {isEditing && <InvoiceDetailsDialog details={details.data} onClose={() => setIsEditing(false)} />}
        </>
      )}
    </SectionCard>
  );
}

function Party({ party: { name, address, taxId } }: { party: InvoiceParty }) {
  if (name === "" && address === "" && taxId === "") {
    return <p>Nothing yet. Your invoices show the name of your site, without an address.</p>;
  }
  return (
    <p className={styles.party}>
      {[name || "The name of your site", address, taxId && `Tax ID: ${taxId}`].filter(Boolean).join("\n")}
    </p>
  );
}

function InvoiceList() {
  const list = useInvoices();
  const pdf = useInvoicePdf();
  if (list.isPending) return <PendingList rows={3} height="4.5rem" />;
  if (list.isError && !list.data) {
    return (
      <ErrorState
        title="We couldn't load your invoices"
        message={list.error.message}
        onRetry={() => void list.refetch()}
        retrying={list.isFetching}
      />
    );
  }
  if (list.data.length === 0) {
    return (
      <EmptyState icon={FileText} title="No invoices yet">
        They appear here when someone asks for an invoice of a session they paid by card.
      </EmptyState>
    );
  }
  return (
    <>
      <DataList aria-label="Invoices">
        {list.data.map((invoice) => (
          <DataRow key={invoice.id}>
            <RowText>
              <RowName>{`${KINDS[invoice.kind]} ${invoice.number}`}</RowName>
              <p className={styles.words}>{`${invoice.buyer.name} · ${invoice.serviceName}`}</p>
              <RowFacts>
                {`${formatCents(invoice.kind === "credit_note" ? -invoice.amountCents : invoice.amountCents)} · `}
                {formatLocalDate(`${invoice.issuedOn}T12:00:00`)}
                {invoice.corrects !== null && ` · for ${invoice.corrects}`}
              </RowFacts>
            </RowText>
            <RowButtons>
              <Button
                size="sm"
                variant="secondary"
                loading={pdf.isPending && pdf.variables.id === invoice.id}
                onClick={() => pdf.mutate(invoice)}
              >
                <Download size={15} aria-hidden="true" />
                PDF <span className="visually-hidden">of {invoice.number}</span>
              </Button>
            </RowButtons>
          </DataRow>
        ))}
      </DataList>
      {pdf.isError && <Notice tone="danger">{pdf.error.message}</Notice>}
      {list.isFetchNextPageError && <Notice tone="danger">{list.error.message}</Notice>}
      <MoreButton list={list} />
    </>
  );
}
