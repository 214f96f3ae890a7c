import { RowFacts } from "@/components/ui/data-list";
import type { Client } from "./types";
import { pluralize } from "@porchlight/shared/format/numbers";
import { formatSessionDay } from "@porchlight/shared/format/session-times";

/** How often a client came, and when last and next. Days are those of the guru's calendar. */
export function ClientFacts({ client }: { client: Client }) {
  const { done, upcoming, lastAt, nextAt, zone } = client;
  return (
    <RowFacts>
      <span>{done === 0 ? "No session yet" : `${pluralize(done, "session")} done`}</span>
      {upcoming > 0 && <span>{upcoming} upcoming</span>}
      {lastAt !== null && <span>Last: {formatSessionDay(lastAt, zone)}</span>}
      {nextAt !== null && <span>Next: {formatSessionDay(nextAt, zone)}</span>}
    </RowFacts>
  );
}
