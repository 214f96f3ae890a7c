import { useState } from "react";
import { generatePath, Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field, Input, TextArea } from "@/components/ui/field";
import { Hint } from "@/components/ui/hint";
import { Notice } from "@/components/ui/notice";
import { Skeleton } from "@/components/ui/skeleton";
import { ButtonRow, Stack } from "@/components/ui/stack";
import { ErrorState } from "@/components/ui/state";
import { errorMessage } from "@/lib/errors";
import { personName } from "@/lib/person-name";
import { toast } from "@/lib/toast-store";
import { leftText, paidPackageText } from "../../lib/package-texts";
import { STATUS_LABELS } from "../lib/booking-status";
import { useExtendPackage, useGrant, useTakeBackSessions } from "./packages-api";
import type { GrantDetails } from "./types";
import { fieldErrors } from "@porchlight/shared/client";
import { formatDate } from "@porchlight/shared/format/dates";
import { formatCents } from "@porchlight/shared/format/money";
import { pluralize } from "@porchlight/shared/format/numbers";
import { formatSessionStart } from "@porchlight/shared/format/session-times";

type Part = "extend" | "take back" | null;
type PackageEvent = GrantDetails["events"][number];

/** A package that a person has: what is left, its history and its sessions. The guru can extend it or take some back. */
export function GrantDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const grant = useGrant(id);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={grant.data ? `${grant.data.name} of ${personName(grant.data)}` : "Package"}
      width={520}
      fullScreenOnPhones
    >
      {grant.isPending && (
        <div aria-busy="true">
          <Skeleton height="12rem" radius="md" />
        </div>
      )}
      {grant.isError && !grant.data && (
        <ErrorState
          title="We couldn't load this package"
          message={grant.error.message}
          onRetry={() => void grant.refetch()}
          retrying={grant.isFetching}
        />
      )}
      {grant.data && <Details grant={grant.data} />}
    </Dialog>
  );
}

function Details({ grant }: { grant: GrantDetails }) {
  const [part, setPart] = useState<Part>(null);
  return (
    <Stack>
      <p>
        <strong>{leftText(grant)}</strong>
      </p>
      <p>
        {grant.serviceName}. {pluralize(grant.used, "session", "sessions")} used
        {grant.takenBack > 0 && `, ${grant.takenBack} taken back`}.
      </p>
      {grant.paidCents > 0 && (
        <p>
          {paidPackageText(grant)}.
          {grant.unusedCents > 0 &&
            ` ${formatCents(grant.unusedCents)} of it isn't yours yet. You get it session by session, and the rest when the package ends.`}
        </p>
      )}
      {grant.disputed && (
        <Notice tone="warning">
          {personName(grant)}&apos;s bank is deciding about this payment. Until then, no new sessions can be booked with
          the package.
        </Notice>
      )}
      {grant.left > 0 && part === null && (
        <ButtonRow>
          <Button variant="secondary" onClick={() => setPart("extend")}>
            Extend
          </Button>
          <Button variant="ghost" onClick={() => setPart("take back")}>
            Take back sessions
          </Button>
        </ButtonRow>
      )}
      {part === "extend" && <ExtendForm grant={grant} onClose={() => setPart(null)} />}
      {part === "take back" && <TakeBackForm grant={grant} onClose={() => setPart(null)} />}
      <Stack as="section" close aria-labelledby="package-history">
        <h3 id="package-history">History</h3>
        <ul>
          {grant.events.map((event) => (
            <li key={`${event.at} ${event.event}`}>{eventText(event, personName(grant))}</li>
          ))}
        </ul>
      </Stack>
      {grant.uses.length > 0 && (
        <Stack as="section" close aria-labelledby="package-uses">
          <h3 id="package-uses">Booked with it</h3>
          <ul>
            {grant.uses.map((use) => (
              <li key={use.bookingId}>
                <Link to={`${generatePath(paths.guruCalendar)}?booking=${use.bookingId}`}>
                  {formatSessionStart(use.startsAt, use.zone)}
                </Link>
                : {STATUS_LABELS[use.status].toLowerCase()}
                {use.sessions === 0 && ", session returned"}
              </li>
            ))}
          </ul>
        </Stack>
      )}
    </Stack>
  );
}

/** Say what happened to a package of a person and when. */
function eventText({ at, event, sessions, lastDay, cents, reason }: PackageEvent, person: string): string {
  const when = formatDate(at);
  const count = pluralize(sessions ?? 0, "session", "sessions");
  if (event === "granted") return `${when}: you gave ${count}, until ${formatDate(lastDay ?? "")}.`;
  if (event === "bought")
    return `${when}: ${person} bought ${count} for ${formatCents(cents)}, until ${formatDate(lastDay ?? "")}.`;
  if (event === "extended") return `${when}: you extended it until ${formatDate(lastDay ?? "")}.`;
  const back = cents > 0 ? `, and ${formatCents(cents)} went back to the card` : "";
  return `${when}: you took back ${count}${back}. Reason: ${reason}`;
}

type FormProps = { grant: GrantDetails; onClose: () => void };

function ExtendForm({ grant, onClose }: FormProps) {
  const extend = useExtendPackage(grant.id);
  const [day, setDay] = useState(grant.lastDay);
  const problem = day === "" ? "Enter a date" : fieldErrors(extend.error).lastDay;

  async function submit() {
    if (day === "") return;
    try {
      await extend.mutateAsync(day);
      toast.success(`Extended until ${formatDate(day)}.`);
      onClose();
    } catch {
      return; // the field or the notice shows it
    }
  }

  return (
    <Stack close>
      <Field label="Last day" error={problem}>
        <Input type="date" min={grant.lastDay} value={day} onChange={(event) => setDay(event.target.value)} />
      </Field>
      {extend.error && !problem && <Notice tone="danger">{errorMessage(extend.error)}</Notice>}
      <ButtonRow>
        <Button loading={extend.isPending} onClick={() => void submit()}>
          Extend package
        </Button>
        <Button variant="ghost" onClick={onClose}>
          Cancel
        </Button>
      </ButtonRow>
    </Stack>
  );
}

function TakeBackForm({ grant, onClose }: FormProps) {
  const takeBack = useTakeBackSessions(grant.id);
  const [count, setCount] = useState(String(grant.left));
  const [reason, setReason] = useState("");
  const [problems, setProblems] = useState<Record<string, string | undefined>>({});

  const sessions = /^\d{1,2}$/.test(count.trim()) ? Number(count) : 0;
  const refundCents = grant.refundCents[sessions - 1];

  async function submit() {
    const found = {
      ...((sessions < 1 || sessions > grant.left) && { sessions: `Enter 1 to ${grant.left}` }),
      ...(reason.trim() === "" && { reason: "Enter a reason" }),
    };
    setProblems(found);
    if (Object.keys(found).length > 0) return;
    try {
      await takeBack.mutateAsync({ sessions, left: grant.left, reason: reason.trim() });
      toast.success("Taken back.");
      onClose();
    } catch (error) {
      setProblems(fieldErrors(error));
    }
  }

  return (
    <Stack close>
      <Field label="Sessions to take back" error={problems.sessions}>
        <Input inputMode="numeric" value={count} onChange={(event) => setCount(event.target.value)} />
      </Field>
      {grant.paidCents > 0 && refundCents !== undefined && (
        <Hint aria-live="polite">
          {personName(grant)} gets {refundCents > 0 ? formatCents(refundCents) : "nothing"} back on their card.
        </Hint>
      )}
      <Field label="Reason" hint="The neighbor will see this." error={problems.reason}>
        <TextArea rows={3} maxLength={500} value={reason} onChange={(event) => setReason(event.target.value)} />
      </Field>
      {takeBack.error && <Notice tone="danger">{errorMessage(takeBack.error)}</Notice>}
      <ButtonRow>
        <Button loading={takeBack.isPending} onClick={() => void submit()}>
          Take back
        </Button>
        <Button variant="ghost" onClick={onClose}>
          Cancel
        </Button>
      </ButtonRow>
    </Stack>
  );
}
