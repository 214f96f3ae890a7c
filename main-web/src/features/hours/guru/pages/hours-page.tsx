import { Page } from "@/components/layout/page";
import { Skeleton } from "@/components/ui/skeleton";
import { ErrorState } from "@/components/ui/state";
import shared from "@/components/console.module.css";
import { useCalendar } from "../api/get-calendar";
import { HoursSettings } from "../components/hours-settings";

/** The guru's hours: when neighbors can book, and why a time is not offered. */
export function HoursPage() {
  const calendar = useCalendar();
  return (
    <Page title="Hours" description="Set when neighbors can book you.">
      <header>
        <h1 className={shared.title}>Hours</h1>
        <p className={shared.lead}>When neighbors can book you.</p>
      </header>
      {calendar.isPending && (
        <div className={shared.rows} aria-busy="true">
          <Skeleton height="24rem" radius="md" />
          <Skeleton height="8rem" radius="md" />
        </div>
      )}
      {calendar.isError && !calendar.data && (
        <ErrorState
          title="We couldn't load your hours"
          message={calendar.error.message}
          onRetry={() => void calendar.refetch()}
          retrying={calendar.isFetching}
        />
      )}
      {calendar.data && <HoursSettings calendar={calendar.data} />}
    </Page>
  );
}
