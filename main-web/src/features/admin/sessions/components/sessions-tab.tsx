import { CalendarClock } from "lucide-react";
import { ListView } from "../../components/list-view";
import { StatusBadge } from "../../components/status-badge";
import type { ExchangeRow } from "../../lib/types";
import { useList } from "../../lib/use-list";
import { formatDate } from "@porchlight/shared/format/dates";

/** Exchange sessions between users. */
export function SessionsTab() {
  const list = useList<ExchangeRow>("sessions", {});
  return (
    <ListView
      list={list}
      label="Exchange sessions"
      errorTitle="We couldn't load sessions"
      empty={{ icon: CalendarClock, title: "No sessions have been booked yet." }}
      filtered={false}
      head={["Session", "Status", "Date"]}
      row={(session) => ({
        key: session.id,
        cells: [session.title, <StatusBadge key="status" status={session.status} />, formatDate(session.startsAt)],
      })}
    />
  );
}
