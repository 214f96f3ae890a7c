import { CalendarCheck, CreditCard } from "lucide-react";
import { useState } from "react";
import { generatePath, Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { GuruAvatar } from "@/components/guru-avatar";
import { Badge } from "@/components/ui/badge";
import { BlockLink } from "@/components/ui/block-link";
import { ListRow } from "@/components/ui/list-row";
import { TitleText } from "@/components/ui/title-text";
import type { Order } from "../api/get-orders";
import { BANK_DECIDES, bankReturnedText } from "../lib/payment-texts";
import { InvoiceDialog } from "./invoice-dialog";
import dialogStyles from "./invoice-dialog.module.css";
import styles from "./sessions.module.css";
import { formatLocalDate } from "@porchlight/shared/format/dates";
import { formatCents } from "@porchlight/shared/format/money";

type Refund = Order["refunds"][number];

const REASONS: Record<Refund["reason"], string> = {
  canceled: "you canceled",
  guru_canceled: "the session was canceled",
  declined: "your request was declined",
  not_answered: "your request wasn't answered",
  missed: "the part you didn't owe",
  seat_lost: "someone else got the time",
  goodwill: "from the guru",
  attended: "you came after all",
  taken_back: "the guru took sessions back",
  support: "from Porchlight",
};

/** A payment in the list: for what, to whom, when, how much, with which card, and what went back. */
export function OrderRow({ order }: { order: Order }) {
  const { guruName, guruLabel, amountCents, refundedCents, paidAt, card, disputed, refunds, state } = order;
  const serviceName = order.purpose === "tip" ? `Tip for ${order.serviceName}` : order.serviceName;
  const page = pageOf(order);
  const [hasInvoice, setHasInvoice] = useState(false);
  return (
    <ListRow
      face={<GuruAvatar label={guruLabel} name={guruName} size="lg" />}
      heading={
        <h2>
          {page === null ? (
            <TitleText>{serviceName}</TitleText>
          ) : (
            <BlockLink>
              <Link to={page}>
                <TitleText>{serviceName}</TitleText>
              </Link>
            </BlockLink>
          )}
        </h2>
      }
      badges={
        <>
          {state === "unpaid" && <Badge tone="danger">Not paid yet</Badge>}
          {state === "charging" && <Badge tone="warning">Being charged</Badge>}
          {refundedCents > 0 && <Badge>{refundedCents === amountCents ? "Refunded" : "Partly refunded"}</Badge>}
        </>
      }
      facts={[
        {
          label: state === "paid" ? "Paid on" : "Owed since",
          value: formatLocalDate(paidAt),
          icon: <CalendarCheck size={15} aria-hidden="true" />,
        },
        { label: "Card", value: card || "Card", icon: <CreditCard size={15} aria-hidden="true" /> },
      ]}
      action={
        <div className={styles.amount}>
          <strong>{formatCents(amountCents)}</strong>
          {state === "paid" && (
            <>
              <a
                className={styles.above}
                href={`/api/orders/${order.id}/receipt.pdf`}
                download
                aria-label={`Receipt for ${serviceName} with ${guruName}`}
              >
                Receipt
              </a>
              <button
                type="button"
                className={dialogStyles.open}
                aria-label={`Invoice for ${serviceName} with ${guruName}`}
                onClick={() => setHasInvoice(true)}
              >
                Invoice
              </button>
              {order.canTip && order.bookingId !== null && (
                <Link
                  className={styles.above}
                  to={`${generatePath(paths.session, { id: order.bookingId })}#tip`}
                  aria-label={`Leave a tip for ${serviceName} with ${guruName}`}
                >
                  Leave a tip
                </Link>
              )}
            </>
          )}
        </div>
      }
    >
      <p>{`with ${guruName}`}</p>
      {whatFor(order) !== "" && <p>{whatFor(order)}</p>}
      {refunds.map((refund, index) => (
        <p key={index}>{refundText(refund)}</p>
      ))}
      {disputed && <p>{BANK_DECIDES}</p>}
      {order.bankReturnedCents > 0 && <p>{bankReturnedText(order)}</p>}
      {hasInvoice && <InvoiceDialog order={order} onClose={() => setHasInvoice(false)} />}
    </ListRow>
  );
}

/** The page of what was paid: the session, or the user's packages; null for what is gone. */
function pageOf({ bookingId, grantId }: Order): string | null {
  if (grantId !== null) return `${paths.sessions}#packages`;
  return bookingId === null ? null : generatePath(paths.session, { id: bookingId });
}

/** Say for what a payment was, besides the whole price: a deposit, or what was owed; "" for the price. */
function whatFor({ mode, state, reason, restCents, bookingId }: Order): string {
  if (mode === "deposit")
    return restCents > 0 ? `Deposit. You pay ${formatCents(restCents)} at the session.` : "Deposit.";
  if (mode !== "hold") return "";
  const why = reason === "missed" ? "Charged for a session that you missed." : "Charged because you canceled late.";
  if (state === "paid") return reason === "" ? "Charged by the terms of your booking." : why;
  if (state === "charging") return "We're charging your card by the terms of your booking.";
  return `Your bank didn't let us charge it.${bookingId === null ? "" : " Open the session to pay it."}`;
}

/** Say how much goes back, why, and whether it has arrived at the bank. */
function refundText({ amountCents, reason, state, createdAt }: Refund): string {
  const amount = formatCents(amountCents);
  switch (state) {
    case "requested":
      return `Refund of ${amount} on its way to your card (${REASONS[reason]}). It takes 5 to 10 days to show.`;
    case "done":
      return `Refunded ${amount} on ${formatLocalDate(createdAt)} (${REASONS[reason]}).`;
    case "failed":
      return `Your bank sent the refund of ${amount} back. We're on it, and you don't need to do anything.`;
  }
}
