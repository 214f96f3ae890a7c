import { CalendarDays } from "lucide-react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { DataList, DataRow, RowFacts, RowName, RowText } from "@/components/ui/data-list";
import { EmptyState } from "@/components/ui/state";
import { Stack } from "@/components/ui/stack";
import { nameOf, type Found } from "../lib/check-in-rules";
import { normalCode } from "../lib/signed-pass";
import type { Roster, RosterPerson, RosterSession } from "../lib/types";
import styles from "./passes.module.css";
import { formatList } from "@porchlight/shared/format/numbers";
import { formatClock, formatSession } from "@porchlight/shared/format/session-times";

type RosterListProps = {
  roster: Roster;
  /** Part of a name or a code, "" for everyone. */
  wanted: string;
  /** The time in milliseconds: sessions that are open for check-in come first. */
  now: number;
  onCheckIn: (found: Found) => void;
  onUndo: (found: Found) => void;
};

/** Who comes to which session, and who is there. */
export function RosterList({ roster, wanted, now, onCheckIn, onUndo }: RosterListProps) {
  const isToday = (session: RosterSession) =>
    Date.parse(session.opensAt) <= now && now < Date.parse(session.passesUntil);
  const shown = roster.sessions
    .map((session) => ({ session, people: session.people.filter((person) => isWanted(person, wanted)) }))
    .filter(({ people }) => people.length > 0)
    .sort((a, b) => Number(isToday(b.session)) - Number(isToday(a.session)));
  if (roster.sessions.length === 0) {
    return (
      <EmptyState icon={CalendarDays} title="No sessions today">
        Sessions of today and the days around it appear here, with the people who booked them.
      </EmptyState>
    );
  }
  if (shown.length === 0) return <p role="status">No one on your list has this name or code.</p>;
  return (
    <Stack>
      {shown.map(({ session, people }) => (
        // No landmark: a list has many, and two may have the same name and time.
        <section key={session.id + session.startsAt} className={styles.session}>
          <div>
            <h2 className={styles.sessionName}>{session.serviceName}</h2>
            <p>
              {formatSession(session.startsAt, session.endsAt, session.zone)}
              {" – "}
              {session.people.filter(({ checkedInAt }) => checkedInAt !== null).length} of {session.people.length} here
            </p>
          </div>
          <DataList aria-label={`${session.serviceName}, who comes`}>
            {people.map((person) => (
              <PersonRow
                key={person.bookingId}
                found={{ person, session }}
                canCheckIn={Date.parse(session.opensAt) <= now && now < Date.parse(session.closesAt)}
                onCheckIn={onCheckIn}
                onUndo={onUndo}
              />
            ))}
          </DataList>
        </section>
      ))}
    </Stack>
  );
}

type PersonRowProps = {
  found: Found;
  canCheckIn: boolean;
  onCheckIn: (found: Found) => void;
  onUndo: (found: Found) => void;
};

function PersonRow({ found, canCheckIn, onCheckIn, onUndo }: PersonRowProps) {
  const { person, session } = found;
  const name = nameOf(person);
  const others = person.participants.filter((one) => one !== person.name);
  const isHere = person.checkedInAt !== null;
  return (
    <DataRow>
      <RowText>
        <RowName as="h3">{name}</RowName>
        {person.party > 1 && (
          <p>
            {person.party} people{others.length > 0 && `, with ${formatList(others)}`}
          </p>
        )}
        <RowFacts>
          {person.checkedInAt !== null && (
            <>
              <Badge tone="good">Here</Badge>
              <span>
                since {formatClock(person.checkedInAt, session.zone)}, {person.checkedInBy}
              </span>
            </>
          )}
          {person.status === "missed" && <Badge tone="danger">Did not come</Badge>}
          {person.waiverDue && <Badge tone="warning">Waiver due</Badge>}
        </RowFacts>
      </RowText>
      {isHere && (
        <Button variant="secondary" aria-label={`Undo the check-in of ${name}`} onClick={() => onUndo(found)}>
          Undo
        </Button>
      )}
      {!isHere && canCheckIn && person.status !== "missed" && (
        <Button aria-label={`Check in ${name}`} onClick={() => onCheckIn(found)}>
          Check in
        </Button>
      )}
    </DataRow>
  );
}

function isWanted(person: RosterPerson, wanted: string): boolean {
  const text = wanted.trim().toLowerCase();
  if (text === "") return true;
  if ([person.name, ...person.participants].some((name) => name.toLowerCase().includes(text))) return true;
  return person.code.startsWith(normalCode(wanted));
}
