import { CalendarClock } from "lucide-react";
import { useState } from "react";
import { Field, Input } from "@/components/ui/field";
import { useSearchParamsState } from "@/lib/use-search-params-state";
import { useSearchParamsText } from "@/lib/use-search-params-text";
import { ListFilters, ListView, NameButton, StatusBadge } from "@/features/admin/contract";
import { useSearchParamsChoice } from "@/lib/use-search-params-choice";
import type { BookedSessionRow } from "../lib/types";
import { useSessions } from "../api/get-sessions";
import { STATUS_LABELS } from "../lib/labels";
import styles from "./sessions-tab.module.css";
import { SessionDialog } from "./session-dialog";
import { WaiverRecords } from "./waiver-records";
import { formatSession, localDay } from "@porchlight/shared/format/session-times";

const STATUSES = ["", "requested", "confirmed", "completed", "missed", "canceled", "declined"] as const;
const SITES = ["", "suspended", "overdue"] as const;

/** Sessions of all gurus, from today on unless staff choose other days. */
export function SessionsTab() {
  const [search, setSearch] = useSearchParamsText("search");
  const [guru, setGuru] = useSearchParamsText("guru");
  const [status, setStatus] = useSearchParamsChoice("status", STATUSES);
  const [site, setSite] = useSearchParamsChoice("site", SITES);
  const [params, setParams] = useSearchParamsState();
  const [open, setOpen] = useState<BookedSessionRow | null>(null);
  const today = localDay(new Date().toISOString(), "");
  const from = params.get("from") ?? today;
  const to = params.get("to") ?? "";
  const list = useSessions({ search, guru, status, site, from, to });

  function setDay(name: "from" | "to", day: string) {
    setParams(
      (current) => {
        current.set(name, day);
        return current;
      },
      { replace: true, preventScrollReset: true },
    );
  }

  return (
    <>
      <WaiverRecords />
      <ListFilters
        search={{ label: "Search by service or guru", value: search, onChange: setSearch }}
        choices={[
          {
            label: "Status",
            value: status,
            onChange: setStatus,
            options: [["", "All"], ...Object.entries(STATUS_LABELS)],
          },
          {
            label: "Site",
            value: site,
            onChange: setSite,
            options: [
              ["", "All"],
              ["suspended", "Site suspended"],
              ["overdue", "Suspended over 72 hours"],
            ],
          },
        ]}
      >
        <Field label="Subdomain">
          <Input value={guru} maxLength={63} autoCapitalize="none" onChange={(event) => setGuru(event.target.value)} />
        </Field>
        <div className={styles.dates}>
          <Field label="From">
            <Input type="date" value={from} onChange={(event) => setDay("from", event.target.value)} />
          </Field>
          <Field label="To">
            <Input type="date" value={to} min={from} onChange={(event) => setDay("to", event.target.value)} />
          </Field>
        </div>
      </ListFilters>
      <ListView
        list={list}
        label="Exchange sessions"
        errorTitle="We couldn't load sessions"
        empty={{ icon: CalendarClock, title: "No upcoming sessions." }}
        filtered={[search, guru, status, site, to].some(Boolean) || from !== today}
        head={["Session", "Neighbor", "When", "Spots", "Status"]}
        row={(session) => ({
          key: session.id,
          cells: [
            <NameButton
              key="name"
              name={session.serviceName}
              note={session.suspendedAt ? `${session.guruName} · site suspended` : session.guruName}
              onOpen={() => setOpen(session)}
            />,
            session.personName || "–",
            formatSession(session.startsAt, session.endsAt, session.zone),
            String(session.party),
            <StatusBadge key="status" status={session.status} />,
          ],
        })}
      />
      {open && <SessionDialog session={open} onClose={() => setOpen(null)} />}
    </>
  );
}
