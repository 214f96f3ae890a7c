import { CalendarRange, Download } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Choice, Choices } from "@/components/ui/choices";
import { PendingList } from "@/components/ui/data-list";
import { Hint } from "@/components/ui/hint";
import { Notice } from "@/components/ui/notice";
import { EmptyState, ErrorState } from "@/components/ui/state";
import { Stack } from "@/components/ui/stack";
import { useSearchParamsState } from "@/lib/use-search-params-state";
import { useExportYear, useYearPdf } from "../api/export-year";
import { useYearStatement } from "../api/get-year-statement";
import type { YearStatement } from "../lib/types";
import { YearTable } from "./year-table";

/** The statement of a year for taxes, with its files. The year is in the address. */
export function YearTab() {
  const [params, setParams] = useSearchParamsState();
  const wanted = /^\d{4}$/.test(params.get("year") ?? "") ? Number(params.get("year")) : null;
  const statement = useYearStatement(wanted);

  function choose(year: number) {
    setParams(
      (current) => {
        current.set("year", String(year));
        return current;
      },
      { replace: true },
    );
  }

  if (statement.data) {
    if (statement.data.years.length === 0) {
      return (
        <EmptyState icon={CalendarRange} title="No money yet">
          Your first year starts with your first paid session.
        </EmptyState>
      );
    }
    return (
      <Stack aria-busy={statement.isPlaceholderData}>
        <Year statement={statement.data} shown={wanted ?? statement.data.year} onChoose={choose} />
        {statement.isError && <Notice tone="danger">{statement.error.message}</Notice>}
      </Stack>
    );
  }
  if (statement.isError) {
    return (
      <ErrorState
        title="We couldn't load your year"
        message={statement.error.message}
        onRetry={() => void statement.refetch()}
        retrying={statement.isFetching}
      />
    );
  }
  return <PendingList rows={6} height="2.75rem" />;
}

type YearProps = { statement: YearStatement; shown: number; onChoose: (year: number) => void };

function Year({ statement, shown, onChoose }: YearProps) {
  const csv = useExportYear();
  const pdf = useYearPdf();
  const failure = csv.error ?? pdf.error;
  return (
    <>
      <Choices label="Year">
        {statement.years.map((year) => (
          <Choice key={year} aria-pressed={year === shown} onClick={() => onChoose(year)}>
            {year}
          </Choice>
        ))}
      </Choices>
      <YearTable statement={statement} />
      <Choices>
        <Button variant="secondary" loading={pdf.isPending} onClick={() => pdf.mutate(statement.year)}>
          {!pdf.isPending && <Download size={16} aria-hidden="true" />}
          {statement.year} as PDF
        </Button>
        <Button variant="secondary" loading={csv.isPending} onClick={() => csv.mutate(statement.year)}>
          {!csv.isPending && <Download size={16} aria-hidden="true" />}
          Every transaction as CSV
        </Button>
      </Choices>
      {failure && <Notice tone="danger">{failure.message}</Notice>}
      <Hint>
        Cash basis: money counts in the month in which it was paid or returned, in the time zone of your calendar (
        {statement.zone}). A refund in January of a payment in December counts in January. This is a record of what
        Porchlight handled for you, and no tax advice.
      </Hint>
    </>
  );
}
