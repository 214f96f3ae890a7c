import { Download, Receipt } from "lucide-react";
import { Link } from "react-router-dom";
import { PageHead } from "@/components/layout/page-head";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { EmptyState, ErrorState } from "@/components/ui/state";
import { paths } from "@/config/paths";
import { useSearchParamsState } from "@/lib/use-search-params-state";
import { PageHeader } from "@/components/ui/page-header";
import { Choice, Choices } from "@/components/ui/choices";
import { Hint } from "@/components/ui/hint";
import { Stack } from "@/components/ui/stack";
import { MoreButton, PendingList } from "@/components/ui/data-list";
import { Disputes } from "@/features/bookings/contract";
import { useExportStatement } from "../api/export-statement";
import { ACCOUNTS, useStatement, type Account } from "../api/get-statement";
import { StatementTable } from "../components/statement-table";

const LABELS: Record<Account, string> = {
  stripe: "Stripe balance",
  earned: "Earned",
  held: "Held for sessions",
};
const MEANINGS: Record<Account, string> = {
  stripe: "What reached your Stripe account, and what went from there to your bank.",
  earned: "What you earned from sessions and tips, and what moved on to your Stripe account.",
  held: "What people paid for sessions that haven't taken place yet.",
};

/** The guru's statement by account, with a CSV file. */
export function MoneyPage() {
  const [params, setParams] = useSearchParamsState();
  const account = ACCOUNTS.find((name) => name === params.get("account")) ?? "stripe";
  const statement = useStatement(account);
  const exported = useExportStatement();

  function choose(name: Account) {
    setParams(
      (current) => {
        if (name === "stripe") current.delete("account");
        else current.set("account", name);
        return current;
      },
      { replace: true },
    );
  }

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
      >
        <Button variant="secondary" loading={exported.isPending} onClick={() => exported.mutate(account)}>
          {!exported.isPending && <Download size={16} aria-hidden="true" />}
          Export as CSV (newest 10,000)
        </Button>
      </PageHeader>
      {exported.isError && <Notice tone="danger">{exported.error.message}</Notice>}
      <Disputes />
      <Choices label="Account">
        {ACCOUNTS.map((name) => (
          <Choice key={name} aria-pressed={account === name} onClick={() => choose(name)}>
            {LABELS[name]}
          </Choice>
        ))}
      </Choices>
      <Hint>{MEANINGS[account]}</Hint>
      <Statement statement={statement} label={LABELS[account]} />
    </PageHead>
  );
}

function Statement({ statement, label }: { statement: ReturnType<typeof useStatement>; label: string }) {
  if (statement.data) {
    if (statement.data.length === 0) {
      return (
        <EmptyState icon={Receipt} title="Nothing here yet">
          Your statement starts with your first paid session.
        </EmptyState>
      );
    }
    return (
      <Stack aria-busy={statement.isPlaceholderData}>
        <StatementTable lines={statement.data} label={label} />
        {statement.isFetchNextPageError && <Notice tone="danger">{statement.error.message}</Notice>}
        <MoreButton list={statement} />
      </Stack>
    );
  }
  if (statement.isError) {
    return (
      <ErrorState
        title="We couldn't load your statement"
        message={statement.error.message}
        onRetry={() => void statement.refetch()}
        retrying={statement.isFetching}
      />
    );
  }
  return <PendingList rows={4} height="2.75rem" />;
}
