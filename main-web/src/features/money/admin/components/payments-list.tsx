import { CreditCard } from "lucide-react";
import { useState } from "react";
import { useSearchParams } from "react-router-dom";
import { Badge } from "@/components/ui/badge";
import detailStyles from "@/components/ui/details.module.css";
import { ListFilters, ListView, NameButton } from "@/features/admin/contract";
import { useSearchParamsChoice } from "@/lib/use-search-params-choice";
import { useSearchParamsText } from "@/lib/use-search-params-text";
import { usePayments } from "../api/get-payments";
import { PAYMENT_STATES } from "../lib/labels";
import type { CardPayment } from "../lib/types";
import { PaymentDetails } from "./payment-details";
import { formatRelativeTime } from "@porchlight/shared/format/dates";
import { formatCents } from "@porchlight/shared/format/money";

/** All payments by card, by state, and found by a whole id or email address. */
export function PaymentsList() {
  const [state, setState] = useSearchParamsChoice("state", ["all", "paid", "open", "refunded", "disputed", "stuck"]);
  const [typed, setTyped] = useSearchParamsText("search");
  const [open, setOpen] = useState<CardPayment | null>(null);
  const [params] = useSearchParams();
  const search = params.get("search")?.trim() ?? "";
  const list = usePayments({ ...(state !== "all" && { state }), ...(search && { search }) });
  return (
    <>
      <ListFilters
        search={{ label: "Payment, booking or Stripe id, or email address", value: typed, onChange: setTyped }}
        choices={[
          {
            label: "Show",
            value: state,
            onChange: setState,
            options: [
              ["all", "All"],
              ["paid", "Paid"],
              ["open", "Open"],
              ["refunded", "Refunded"],
              ["disputed", "Disputed"],
              ["stuck", "Stuck"],
            ],
          },
        ]}
      />
      <ListView
        list={list}
        label="Payments"
        errorTitle="We couldn't load the payments"
        empty={{ icon: CreditCard, title: state === "stuck" ? "No payment is stuck." : "No payments." }}
        filtered={search !== ""}
        head={["Payment", "Amount", "State", "Refunded", "Guru", "Began"]}
        row={(payment) => {
          const [label, tone] = PAYMENT_STATES[payment.state];
          return {
            key: payment.id,
            cells: [
              <span key="name" className={detailStyles.naming}>
                <NameButton name={payment.serviceName || "A session"} onOpen={() => setOpen(payment)} />
                <span className={detailStyles.note}>{payment.person || "Deleted account"}</span>
              </span>,
              formatCents(payment.amountCents),
              <Badge key="state" tone={tone}>
                {label}
              </Badge>,
              payment.refundedCents > 0 ? formatCents(payment.refundedCents) : "None",
              payment.guruLabel || "Deleted guru",
              formatRelativeTime(payment.createdAt),
            ],
          };
        }}
      />
      {open && <PaymentDetails payment={open} onClose={() => setOpen(null)} />}
    </>
  );
}
