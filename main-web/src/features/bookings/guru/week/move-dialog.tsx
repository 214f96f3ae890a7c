import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field, TextArea } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { Stack } from "@/components/ui/stack";
import { errorMessage } from "@/lib/errors";
import { personName } from "@/lib/person-name";
import { toast } from "@/lib/toast-store";
import { useProposeMoves } from "../api/propose-moves";
import { useProposeFollowing } from "../api/propose-following";
import { useFollowing } from "../api/get-following";
import { FollowingMoves } from "../../components/following-moves";
import { FollowingScope, type Scope } from "../../components/following-scope";
import { fitting, moveLabel } from "../../lib/following";
import type { GuruBooking, GuruSession } from "../lib/types";
import { sentBookings } from "./events";
import { UnavailableReason } from "./unavailable-reason";
import styles from "./week.module.css";
import { formatSession, formatSessionStart } from "@porchlight/shared/format/session-times";
import { formatList } from "@porchlight/shared/format/numbers";

const MAX_REASON = 500;
const HOUR_MS = 3_600_000;
const ANSWER_HOURS = 24;
const ANSWER_HOURS_BEFORE_START = 2;

type MoveDialogProps = {
  session: GuruSession;
  zone: string;
  /** The new start, in ISO 8601. */
  startsAt: string;
  /** Whether the new start is one that the guru offers. */
  isOffered: boolean;
  onDone: () => void;
  onClose: () => void;
};

/** Ask the people of a session to move it to another time, on terms that are named before. What was typed stays. */
export function MoveDialog({ session, zone, startsAt, isOffered, onDone, onClose }: MoveDialogProps) {
  const [people, setPeople] = useState(() => sentBookings(session).filter(({ canPropose }) => canPropose));
  const [reason, setReason] = useState("");
  const [problem, setProblem] = useState("");
  const [scope, setScope] = useState<Scope>("this");
  const [first] = people;
  const series = people.length === 1 && first && first.seriesId !== null ? first.id : null;
  const following = useFollowing(series);
  const planned = useFollowing(scope === "following" ? series : null, startsAt);
  const propose = useProposeMoves();
  const proposeFollowing = useProposeFollowing(first?.id ?? "");
  const isFollowing = scope === "following";
  const chosen = fitting(planned.data);
  const error = isFollowing ? proposeFollowing.error : propose.error;
  const names = formatList(people.map(personName));

  function submit() {
    if (reason.trim() === "") {
      setProblem("Enter a reason");
      return;
    }
    const body = { startsAt, reason: reason.trim() };
    const onSuccess = () => {
      toast.success(`We've asked ${names}.`);
      onDone();
    };
    if (isFollowing) {
      proposeFollowing.mutate({ ...body, bookings: chosen.map(({ id }) => id) }, { onSuccess });
      return;
    }
    const bookings = people.map(({ id }) => id);
    propose.mutate(
      { ...body, bookings, onAsked: (id) => setPeople((left) => left.filter((one) => one.id !== id)) },
      { onSuccess },
    );
  }

  const endsAt = new Date(Date.parse(startsAt) + Date.parse(session.endsAt) - Date.parse(session.startsAt));
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Move this session?"
      width={520}
      fullScreenOnPhones
      footer={
        <>
          <Button variant="ghost" onClick={onClose}>
            Keep this time
          </Button>
          <Button
            disabled={isFollowing && chosen.length === 0}
            loading={propose.isPending || proposeFollowing.isPending}
            onClick={submit}
          >
            {isFollowing ? moveLabel("Ask to move", planned.data ?? following.data) : "Ask to move"}
          </Button>
        </>
      }
    >
      <Stack>
        <dl className={styles.times}>
          <div>
            <dt>From</dt>
            <dd>{formatSession(session.startsAt, session.endsAt, zone)}</dd>
          </div>
          <div>
            <dt>To</dt>
            <dd>{formatSession(startsAt, endsAt.toISOString(), zone)}</dd>
          </div>
        </dl>
        {error && <Notice tone="danger">{errorMessage(error)}</Notice>}
        {(!isOffered || propose.isError) && session.serviceId !== null && (
          <UnavailableReason serviceId={session.serviceId} startsAt={startsAt} zone={zone} />
        )}
        <ul className={styles.terms}>
          <li>We'll email {names}, and nothing changes until they answer.</li>
          <li>
            They can accept, or cancel for free, until{" "}
            {formatSessionStart(answerUntil(session.startsAt, startsAt), zone)}.
          </li>
          <li>Others can still book the new time until then.</li>
          {waiverTerms(people, startsAt) && <li>{waiverTerms(people, startsAt)}</li>}
        </ul>
        {series !== null && <FollowingScope following={following} scope={scope} onChange={setScope} />}
        {isFollowing && <FollowingMoves following={planned} />}
        <Field label="Reason" hint="The neighbor will see this." error={problem || undefined}>
          <TextArea
            rows={3}
            maxLength={MAX_REASON}
            value={reason}
            onChange={(event) => {
              setReason(event.target.value);
              setProblem("");
            }}
          />
        </Field>
      </Stack>
    </Dialog>
  );
}

/** Return until when the people can answer a proposal that is made now: as the server decides. */
function answerUntil(before: string, after: string): string {
  const latest = Math.min(Date.parse(before), Date.parse(after)) - ANSWER_HOURS_BEFORE_START * HOUR_MS;
  return new Date(Math.min(Date.now() + ANSWER_HOURS * HOUR_MS, latest)).toISOString();
}

/** Say when someone has to sign a waiver again; "" for a session that needs none. */
function waiverTerms(people: readonly GuruBooking[], startsAt: string): string {
  if (people.every(({ waiverLevel }) => waiverLevel === "")) return "";
  const ending = people.filter(
    ({ waiverUntil }) => waiverUntil !== null && Date.parse(waiverUntil) <= Date.parse(startsAt),
  );
  if (ending.length > 0) {
    return `The waiver of ${formatList(ending.map(personName))} ends before the new time, so a new one is due.`;
  }
  return "If the risk has risen since they signed, they sign a new waiver.";
}
