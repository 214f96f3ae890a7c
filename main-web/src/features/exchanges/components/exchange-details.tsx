import { CalendarClock, MapPin, StickyNote } from "lucide-react";
import { useState, type ReactNode } from "react";
import { useQueryClient } from "@tanstack/react-query";
import { toast } from "@/lib/toast-store";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import { MessageLink } from "@/features/messages/contract";
import { EMPTY_VALUES, WaiverModal, type WaiverValues } from "@/features/waivers/contract";
import { AddToCalendar } from "@/components/add-to-calendar";
import { Avatar } from "@/components/ui/avatar";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Notice } from "@/components/ui/notice";
import { ButtonRow } from "@/components/ui/stack";
import { useAnswerExchange } from "../api/answer-exchange";
import {
  calendarEvent,
  insideName,
  placeText,
  roleText,
  skillName,
  stateText,
  statusBadge,
  timeText,
} from "../lib/exchange-texts";
import { exchangesKey } from "../lib/query-keys";
import type { Exchange } from "../lib/types";
import { MODES } from "../lib/hours";
import { AskLink } from "./ask-link";
import { CounterDialog } from "./counter-dialog";
import { EndDialog } from "./end-dialog";
import { RecordedTime } from "./recorded-time";
import styles from "./exchanges.module.css";
import { formatDate } from "@porchlight/shared/format/dates";
import { viewerZone } from "@porchlight/shared/format/session-times";

type Open = "counter" | "decline" | "cancel" | null;

/** An exchange with everything about it, and the steps that are possible now. */
export function ExchangeDetails({ exchange }: { exchange: Exchange }) {
  const [dialog, setDialog] = useState<Open>(null);
  const { label, tone } = statusBadge(exchange);
  const { neighbor } = exchange;
  const isOver = ["declined", "canceled", "expired", "completed"].includes(exchange.status);
  const isOpen = exchange.status === "asked" || exchange.status === "countered";
  return (
    <>
      <header className={styles.head}>
        <div className={styles.row}>
          <h1 className={styles.title}>{skillName(exchange)}</h1>
          <Badge tone={tone}>{label}</Badge>
          <Badge>{MODES[exchange.mode]}</Badge>
        </div>
        <div className={styles.row}>
          <Avatar name={neighbor.name} src={neighbor.photoUrl} />
          <p className={styles.soft}>{roleText(exchange)}</p>
        </div>
      </header>
      <Notice tone={exchange.status === "confirmed" ? "success" : "info"}>{stateText(exchange)}</Notice>
      <RecordedTime exchange={exchange} />
      {exchange.reply && (
        <Card as="section" className={styles.part} aria-label="Last words">
          <p>{exchange.replyBy === exchange.side ? "You wrote:" : `${neighbor.name} wrote:`}</p>
          <p className={styles.words}>“{exchange.reply}”</p>
        </Card>
      )}
      <Waiver exchange={exchange} />
      {isOpen && <Proposals exchange={exchange} onStep={setDialog} />}
      <Card as="section" className={styles.part} aria-label="Details">
        {exchange.startsAt && exchange.endsAt && (
          <Fact icon={<CalendarClock size={18} aria-hidden="true" />}>
            <Time startsAt={exchange.startsAt} endsAt={exchange.endsAt} exchange={exchange} />
          </Fact>
        )}
        <Fact icon={<MapPin size={18} aria-hidden="true" />}>
          {placeText(exchange.place, exchange.side, neighbor.name)}, {exchange.minutes} minutes
        </Fact>
        {exchange.note && (
          <Fact icon={<StickyNote size={18} aria-hidden="true" />}>
            <span className={styles.words}>{exchange.note}</span>
          </Fact>
        )}
        {exchange.status === "confirmed" && exchange.startsAt && exchange.endsAt && (
          <div>
            <AddToCalendar event={calendarEvent(exchange)} file={`/api/exchanges/${exchange.id}/session.ics`} />
          </div>
        )}
        <ButtonRow className={styles.buttons}>
          {neighbor.handle !== null && neighbor.canArrange && (
            <MessageLink to={{ kind: "profile", id: neighbor.handle }} name={neighbor.name} />
          )}
          {exchange.canCancel && (
            <Button size="sm" variant="secondary" onClick={() => setDialog("cancel")}>
              {exchange.status === "confirmed" ? "Cancel session" : "Take back request"}
            </Button>
          )}
          {isOver && exchange.side === "learner" && neighbor.canArrange && (
            <AskLink to={{ offer: exchange.offerId }} skill={skillName(exchange)} name={neighbor.name} />
          )}
        </ButtonRow>
      </Card>
      {dialog === "counter" && <CounterDialog exchange={exchange} onClose={() => setDialog(null)} />}
      {(dialog === "decline" || dialog === "cancel") && (
        <EndDialog exchange={exchange} how={dialog} onClose={() => setDialog(null)} />
      )}
    </>
  );
}

function Fact({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <div className={styles.fact}>
      {icon}
      <div>{children}</div>
    </div>
  );
}

function Time({ startsAt, endsAt, exchange }: { startsAt: string; endsAt: string; exchange: Exchange }) {
  const { time, other } = timeText(startsAt, endsAt, exchange);
  return (
    <>
      <time dateTime={startsAt}>{time}</time>
      {other && <span className={styles.soft}> ({other})</span>}
    </>
  );
}

/** The proposed times. Whose turn it is can accept one, propose others, or decline. */
function Proposals({ exchange, onStep }: { exchange: Exchange; onStep: (step: Open) => void }) {
  const answer = useAnswerExchange(exchange.id);

  async function accept(startsAt: string) {
    try {
      await answer.mutateAsync({ answer: "accept", sequence: exchange.sequence, startsAt, zone: viewerZone() });
      // Said also if these buttons are gone by now, unlike the callbacks of `mutate`.
      toast.success("Agreed. You both get an email with the session for your calendar.");
    } catch {
      return; // the notice shows it
    }
  }

  return (
    <Card as="section" className={styles.part} aria-labelledby="proposed">
      <h2 id="proposed" className={styles.name}>
        Proposed times
      </h2>
      {answer.error && <Notice tone="danger">{answer.error.message}</Notice>}
      <ul className={styles.list}>
        {exchange.proposals.map(({ startsAt, endsAt, overlaps }) => {
          const { time } = timeText(startsAt, endsAt, exchange);
          return (
            <li key={startsAt} className={styles.proposal}>
              <div>
                <Time startsAt={startsAt} endsAt={endsAt} exchange={exchange} />
                {overlaps && <p className={styles.soft}>You have another session at this time.</p>}
              </div>
              {exchange.canAnswer && (
                <Button
                  size="sm"
                  aria-label={`Accept ${time}`}
                  loading={answer.isPending && answer.variables.startsAt === startsAt}
                  disabled={answer.isPending}
                  onClick={() => void accept(startsAt)}
                >
                  Accept
                </Button>
              )}
            </li>
          );
        })}
      </ul>
      {exchange.canAnswer && (
        <ButtonRow className={styles.buttons}>
          {exchange.canCounter && (
            <Button variant="secondary" onClick={() => onStep("counter")}>
              Propose other times
            </Button>
          )}
          <Button variant="ghost" onClick={() => onStep("decline")}>
            Decline
          </Button>
        </ButtonRow>
      )}
    </Card>
  );
}

/** Whether the waiver of a risky session is accepted. The learner can accept it here. */
function Waiver({ exchange }: { exchange: Exchange }) {
  const userId = useCurrentUserId();
  const queries = useQueryClient();
  const [entered, setEntered] = useState<WaiverValues>(EMPTY_VALUES);
  const [isOpen, setIsOpen] = useState(false);
  const isAgreed = exchange.status === "confirmed";
  if (exchange.risk === null) return null;
  if (!exchange.waiverDue) {
    return isAgreed && exchange.waiverUntil ? (
      <Notice tone="success">The liability waiver is accepted until {formatDate(exchange.waiverUntil)}.</Notice>
    ) : null;
  }
  if (exchange.side === "teacher") {
    return (
      <Notice tone="warning">
        Waiver due: {exchange.neighbor.name} has to accept a liability waiver before you{" "}
        {isAgreed ? "start" : "can agree on a time"}.
      </Notice>
    );
  }
  return (
    <>
      <Notice tone="warning">
        <p>
          Waiver due: this activity is rated {exchange.risk} risk. Please accept the liability waiver{" "}
          {isAgreed ? "before you start." : "now, so that you two can agree on a time."}
        </p>
        <Button size="sm" variant="secondary" onClick={() => setIsOpen(true)}>
          Accept the waiver
        </Button>
      </Notice>
      {isOpen && (
        <WaiverModal
          exchange={{
            id: exchange.offerId,
            skill: `${skillName(exchange)} with ${insideName(exchange.neighbor.name)}`,
            category: "",
            activity: skillName(exchange),
          }}
          minimumLevel={exchange.risk}
          mustSign
          initial={entered}
          onSignIn={null}
          onAccepted={() => {
            setIsOpen(false);
            toast.success("Your waiver is accepted.");
            void queries.invalidateQueries({ queryKey: exchangesKey(userId) });
          }}
          onClose={(values) => {
            setEntered(values);
            setIsOpen(false);
          }}
        />
      )}
    </>
  );
}
