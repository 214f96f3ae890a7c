import { Link, useSearchParams } from "react-router-dom";
import { PageHead } from "@/components/layout/page-head";
import { PageHeader } from "@/components/ui/page-header";
import { Tabs } from "@/components/ui/tabs";
import { paths } from "@/config/paths";
import { Disputes } from "@/features/bookings/contract";
import { AccountTab } from "../components/account-tab";
import { InvoicesTab } from "../components/invoices-tab";
import { YearTab } from "../components/year-tab";

const TABS = [
  { value: "statement", label: "Statement", content: <AccountTab /> },
  { value: "year", label: "Year", content: <YearTab /> },
  { value: "invoices", label: "Invoices", content: <InvoicesTab /> },
];

/** The guru's money: the statement by account, the year for taxes, and invoices. The tab is in the address. */
export function MoneyPage() {
  const [params, setParams] = useSearchParams();
  const tab = TABS.find(({ value }) => value === params.get("tab"))?.value ?? "statement";
  return (
    <PageHead title="Money" description="Every cent that came in and went out.">
      <PageHeader
        title="Money"
        lead={
          <>
            Every cent that came in and went out. Balance and payouts are on your{" "}
            <Link to={paths.payouts}>Payouts page</Link>.
          </>
        }
      />
      <Disputes />
      <Tabs
        label="Money"
        tabs={TABS}
        value={tab}
        onValueChange={(value) => setParams(value === "statement" ? {} : { tab: value }, { preventScrollReset: true })}
      />
    </PageHead>
  );
}
