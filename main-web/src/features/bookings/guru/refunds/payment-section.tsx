import { useState } from "react";
import { Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { SectionTitle } from "@/components/ui/section-card";
import { personName } from "@/lib/person-name";
import styles from "../components/calendar.module.css";
import { refundText } from "../lib/refund-text";
import type { GuruBookingDetails } from "../lib/types";
import { RefundDialog } from "./refund-dialog";

/** The refunds of a booking's payment, the bank's question about it, and the button to return more. */
export function PaymentSection({ booking }: { booking: GuruBookingDetails }) {
  const [isRefunding, setIsRefunding] = useState(false);
  const { payment } = booking;
  if (payment === null) return null;
  const canRefund = payment.keptCents > 0 && !payment.disputed;
  if (!canRefund && payment.refunds.length === 0 && payment.disputeId === null) return null;
  return (
    <section className={styles.contact} aria-labelledby="booking-payment">
      <SectionTitle id="booking-payment">Refunds</SectionTitle>
      {payment.refunds.length > 0 && (
        <ul className={styles.people}>
          {payment.refunds.map((refund, index) => (
            <li key={index}>{refundText(refund)}</li>
          ))}
        </ul>
      )}
      {payment.disputed && (
        <Notice tone="warning">The bank is looking at this payment. It decides who gets the money.</Notice>
      )}
      {payment.disputeId !== null && (
        <Link to={`${paths.guruMoney}?dispute=${payment.disputeId}`}>See what the bank asks</Link>
      )}
      {canRefund && (
        <Button variant="secondary" size="sm" onClick={() => setIsRefunding(true)}>
          Refund <span className="visually-hidden">{personName(booking)}</span>
        </Button>
      )}
      {isRefunding && (
        <RefundDialog booking={booking} keptCents={payment.keptCents} onClose={() => setIsRefunding(false)} />
      )}
    </section>
  );
}
