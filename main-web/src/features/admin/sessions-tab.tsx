import { CalendarClock } from "lucide-react";
import { formatDay } from "../../ui/format-date";
import { ListView } from "./list-view";
import { StatusBadge } from "./status-badge";
import type { ExchangeRow } from "./types";
import { useList } from "./use-list";

/** Exchange sessions that neighbors booked with each other. */
export function SessionsTab() {
  const list = useList<ExchangeRow>("sessions", {});
  return (
    <ListView
      list={list}
      label="Exchange sessions"
      trouble="The sessions could not be loaded"
      empty={{ icon: CalendarClock, title: "No sessions have been booked yet." }}
      filtered={false}
      head={["Session", "Status", "Date"]}
      row={(session) => ({
        key: session.id,
        cells: [session.title, <StatusBadge key="status" status={session.status} />, formatDay(session.startsAt)],
      })}
    />
  );
}
