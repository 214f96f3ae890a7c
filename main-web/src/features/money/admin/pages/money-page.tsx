import { useSearchParams } from "react-router-dom";
import { PageHead } from "@/components/layout/page-head";
import { Tabs } from "@/components/ui/tabs";
import styles from "@/components/ui/details.module.css";
import { useSummary } from "../api/get-summary";
import { AdjustmentsList } from "../components/adjustments-list";
import { BooksCard } from "../components/books-card";
import { DisputesList } from "../components/disputes-list";
import { FindingsList } from "../components/findings-list";
import { OverviewTab } from "../components/overview-tab";
import { PaymentsList } from "../components/payments-list";
import { EventsList, WritesList } from "../components/queues";
import { ReconciliationsList } from "../components/reconciliations-list";
import { formatNumber } from "@porchlight/shared/format/numbers";

const withCount = (label: string, count = 0) => (count > 0 ? `${label} (${formatNumber(count)})` : label);

/** Whether the books match Stripe, where all money is, what is stuck, and corrections. The open tab is in the address. */
export function MoneyPage() {
  const [params, setParams] = useSearchParams();
  const summary = useSummary();
  const tabs = [
    { value: "overview", label: "Overview", content: <OverviewTab /> },
    { value: "payments", label: "Payments", content: <PaymentsList /> },
    { value: "findings", label: withCount("Findings", summary.data?.openFindings), content: <FindingsList /> },
    { value: "outbox", label: withCount("Writes", summary.data?.openWrites), content: <WritesList /> },
    { value: "events", label: withCount("Events", summary.data?.failedEvents), content: <EventsList /> },
    {
      value: "adjustments",
      label: withCount("Adjustments", summary.data?.waitingAdjustments),
      content: <AdjustmentsList />,
    },
    { value: "disputes", label: withCount("Disputes", summary.data?.openDisputes), content: <DisputesList /> },
    { value: "reconciliations", label: "Reconciliations", content: <ReconciliationsList /> },
  ];
  const open = tabs.find(({ value }) => value === params.get("tab"))?.value ?? "overview";
  return (
    <PageHead title="Money" description="Do the books match Stripe?">
      <div className={styles.loading}>
        <BooksCard />
        <Tabs
          label="Money"
          tabs={tabs}
          value={open}
          onValueChange={(tab) => setParams(tab === "overview" ? {} : { tab }, { preventScrollReset: true })}
        />
      </div>
    </PageHead>
  );
}
