import { MailCheck, RotateCcw } from "lucide-react";
import { onSettled } from "@/lib/on-settled";
import { toast } from "@/lib/toast-store";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { PageHead } from "@/components/layout/page-head";
import { ListView } from "@/features/admin/contract";
import { useRetryFailedJobs } from "../api/retry-failed-jobs";
import { useFailedJobs } from "../api/get-failed-jobs";
import { formatRelativeTime } from "@porchlight/shared/format/dates";
import { formatNumber, pluralize } from "@porchlight/shared/format/numbers";

/** Emails and other jobs that failed in the last 30 days, by task, and the button that queues them again. */
export function JobsPage() {
  const list = useFailedJobs();
  const retry = useRetryFailedJobs();
  const again = (task: string) =>
    onSettled(
      retry.mutateAsync(task).then(({ retried }) => toast.success(`${pluralize(retried, "job")} queued again.`)),
      () => undefined,
      (reason) => toast.error(reason.message),
    );
  return (
    <PageHead title="Failed jobs" description="Emails and jobs that failed.">
      <ListView
        list={list}
        label="Failed jobs"
        errorTitle="We couldn't load the failed jobs"
        empty={{ icon: MailCheck, title: "Nothing failed in the last 30 days." }}
        filtered={false}
        head={["Job", "Kind", "Failed", "First", "Last", "Action"]}
        row={(failed) => ({
          key: failed.task,
          cells: [
            failed.task,
            <Badge key="kind" tone={failed.email ? "warning" : "neutral"}>
              {failed.email ? "Email" : "Other"}
            </Badge>,
            formatNumber(failed.count),
            formatRelativeTime(failed.firstAt),
            formatRelativeTime(failed.lastAt),
            failed.retryable ? (
              <Button
                key="again"
                size="sm"
                variant="secondary"
                loading={retry.isPending && retry.variables === failed.task}
                onClick={() => again(failed.task)}
              >
                <RotateCcw size={15} aria-hidden="true" />
                Try again<span className="visually-hidden">: {failed.task}</span>
              </Button>
            ) : (
              "Gave up after several tries"
            ),
          ],
        })}
      />
    </PageHead>
  );
}
