import { Inbox, RotateCcw, Send } from "lucide-react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { onSettled } from "@/lib/on-settled";
import { toast } from "@/lib/toast-store";
import { ListFilters, ListView } from "@/features/admin/contract";
import { useSearchParamsChoice } from "@/lib/use-search-params-choice";
import { useStripeEvents } from "../api/get-stripe-events";
import { useStripeWrites } from "../api/get-stripe-writes";
import { useRetryEvent } from "../api/retry-event";
import { EVENT_STATES, WRITE_STATES, humanize } from "../lib/labels";
import { formatRelativeTime } from "@porchlight/shared/format/dates";

/** Changes at Stripe that were decided, with their outcomes. */
export function WritesList() {
  const [state, setState] = useSearchParamsChoice("state", ["open", "unknown", "refused", "absent", "done"]);
  const list = useStripeWrites(state === "open" ? {} : { state });
  return (
    <>
      <ListFilters
        choices={[
          {
            label: "Show",
            value: state,
            onChange: setState,
            options: [
              ["open", "Without an outcome"],
              ["unknown", "Outcome unknown"],
              ["refused", "Refused"],
              ["absent", "Never arrived"],
              ["done", "Done"],
            ],
          },
        ]}
      />
      <ListView
        list={list}
        label="Writes to Stripe"
        errorTitle="We couldn't load the writes"
        empty={{ icon: Send, title: state === "open" ? "Everything was sent." : "None." }}
        filtered={false}
        head={["Write", "State", "Tries", "Account", "Error", "Decided"]}
        row={(write) => {
          const [label, tone] = WRITE_STATES[write.state];
          return {
            key: write.id,
            cells: [
              humanize(write.kind),
              <Badge key="state" tone={tone}>
                {label}
              </Badge>,
              String(write.tries),
              write.account || "Platform",
              write.errorMessage || write.errorCode || "None",
              formatRelativeTime(write.createdAt),
            ],
          };
        }}
      />
    </>
  );
}

/** Events that Stripe sent, and the button that processes a failed one again. */
export function EventsList() {
  const [state, setState] = useSearchParamsChoice("state", ["failed", "new", "done", "ignored"]);
  const list = useStripeEvents({ state });
  const retry = useRetryEvent();
  const runAgain = (id: string) =>
    onSettled(
      retry.mutateAsync(id),
      () => toast.success("The event runs again."),
      (reason) => toast.error(reason.message),
    );
  return (
    <>
      <ListFilters
        choices={[
          {
            label: "Show",
            value: state,
            onChange: setState,
            options: [
              ["failed", "Failed"],
              ["new", "Waiting"],
              ["done", "Done"],
              ["ignored", "Ignored"],
            ],
          },
        ]}
      />
      <ListView
        list={list}
        label="Events of Stripe"
        errorTitle="We couldn't load the events"
        empty={{ icon: Inbox, title: state === "failed" ? "No event failed." : "None." }}
        filtered={false}
        head={["Event", "State", "Tries", "Object", "Error", "Received", ...(state === "failed" ? ["Action"] : [])]}
        row={(event) => {
          const [label, tone] = EVENT_STATES[event.state];
          return {
            key: event.id,
            cells: [
              event.kind,
              <Badge key="state" tone={tone}>
                {label}
              </Badge>,
              String(event.tries),
              event.objectId || "None",
              event.error || "None",
              formatRelativeTime(event.receivedAt),
              ...(state === "failed"
                ? [
                    <Button
                      key="again"
                      size="sm"
                      variant="secondary"
                      loading={retry.isPending && retry.variables === event.id}
                      onClick={() => runAgain(event.id)}
                    >
                      <RotateCcw size={15} aria-hidden="true" />
                      Run again<span className="visually-hidden">: {event.id}</span>
                    </Button>,
                  ]
                : []),
            ],
          };
        }}
      />
    </>
  );
}
