import { PageHead } from "@/components/layout/page-head";
import { Skeleton } from "@/components/ui/skeleton";
import { ErrorState } from "@/components/ui/state";
import { PageHeader } from "@/components/ui/page-header";
import { Stack } from "@/components/ui/stack";
import { useCalendar } from "../api/get-calendar";
import { HoursSettings } from "../components/hours-settings";

/** The guru's hours: when neighbors can book, and why a time is not offered. */
export function HoursPage() {
  const calendar = useCalendar();
  return (
    <PageHead title="Hours" description="Set when neighbors can book you.">
      <PageHeader title="Hours" lead="When neighbors can book you." />
      {calendar.isPending && (
        <Stack close aria-busy="true">
          <Skeleton height="24rem" radius="md" />
          <Skeleton height="8rem" radius="md" />
        </Stack>
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
    </PageHead>
  );
}
