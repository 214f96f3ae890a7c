import { useState } from "react";
import { toast } from "@/lib/toast-store";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Confirm } from "@/components/ui/confirm";
import { Notice } from "@/components/ui/notice";
import { ButtonRow } from "@/components/ui/stack";
import { useConfirmTime } from "../api/confirm-time";
import { useRecordTime } from "../api/record-time";
import { useReverseTime } from "../api/reverse-time";
import { insideName } from "../lib/exchange-texts";
import { effectText, QUARTER, recordedText, timeStateText } from "../lib/hours";
import type { Exchange } from "../lib/types";
import { MinutesField } from "./minutes-field";
import { ObjectDialog } from "./object-dialog";
import styles from "./exchanges.module.css";

/** How long a session took: recorded, confirmed or objected to, and settled. Shows nothing before there is something. */
export function RecordedTime({ exchange }: { exchange: Exchange }) {
  const { time } = exchange;
  const text = timeStateText(exchange);
  if (text === null) return null;
  return (
    <Card as="section" className={styles.part} aria-labelledby="time">
      <h2 id="time" className={styles.name}>
        {time.canRecord ? "Record the time" : time.canAnswer ? "Is this right?" : "Time"}
      </h2>
      {time.state === "recorded" && <p className={styles.time}>{recordedText(time.minutes)}</p>}
      <p className={styles.soft}>{text}</p>
      {time.canRecord && <RecordForm exchange={exchange} />}
      {time.canAnswer && <Answer exchange={exchange} />}
      {time.canReverse && <Reversal exchange={exchange} />}
    </Card>
  );
}

/** The teacher records the time first. */
function RecordForm({ exchange }: { exchange: Exchange }) {
  const record = useRecordTime(exchange.id);
  const [minutes, setMinutes] = useState(Math.ceil(exchange.minutes / QUARTER) * QUARTER);
  return (
    <form
      className={styles.part}
      onSubmit={(event) => {
        event.preventDefault();
        record.mutate(
          { minutes, round: exchange.time.round, words: "" },
          { onSuccess: () => toast.success(`Recorded. ${exchange.neighbor.name} has 72 hours to object.`) },
        );
      }}
    >
      {record.error && <Notice tone="danger">{record.error.message}</Notice>}
      <MinutesField value={minutes} onChange={setMinutes} hint={effectText(exchange, minutes)} />
      <div>
        <Button type="submit" loading={record.isPending}>
          Record
        </Button>
      </div>
    </form>
  );
}

/** Confirm what the neighbor recorded, or object. */
function Answer({ exchange }: { exchange: Exchange }) {
  const confirm = useConfirmTime(exchange.id);
  const [isObjecting, setIsObjecting] = useState(false);

  async function accept() {
    try {
      await confirm.mutateAsync(exchange.time.round);
      // Said also if these buttons are gone by now, unlike the callbacks of `mutate`.
      toast.success("Settled. You both get an email.");
    } catch {
      return; // the notice shows it
    }
  }

  return (
    <>
      {confirm.error && <Notice tone="danger">{confirm.error.message}</Notice>}
      <p>{effectText(exchange, exchange.time.minutes ?? 0)}</p>
      <ButtonRow className={styles.buttons}>
        <Button loading={confirm.isPending} onClick={() => void accept()}>
          Confirm
        </Button>
        <Button variant="secondary" disabled={confirm.isPending} onClick={() => setIsObjecting(true)}>
          Object
        </Button>
      </ButtonRow>
      {isObjecting && <ObjectDialog exchange={exchange} onClose={() => setIsObjecting(false)} />}
    </>
  );
}

/** Take back what was settled, if both want it. */
function Reversal({ exchange }: { exchange: Exchange }) {
  const reverse = useReverseTime(exchange.id);
  const [isAsking, setIsAsking] = useState(false);
  const { time, side, neighbor } = exchange;
  const isOwn = time.reversalBy === side;

  function send(wanted: boolean, done: string) {
    reverse.mutate(wanted, {
      onSuccess: () => {
        toast.success(done);
        setIsAsking(false);
      },
    });
  }

  return (
    <>
      {reverse.error && !isAsking && <Notice tone="danger">{reverse.error.message}</Notice>}
      {time.reversalBy === "" && (
        <div>
          <Button size="sm" variant="ghost" onClick={() => setIsAsking(true)}>
            Take it back
          </Button>
        </div>
      )}
      {isOwn && (
        <>
          <p>You asked {insideName(neighbor.name)} to take this back. It counts once they agree.</p>
          <div>
            <Button
              size="sm"
              variant="secondary"
              loading={reverse.isPending}
              onClick={() => send(false, "It stays as it is.")}
            >
              Leave it as it is
            </Button>
          </div>
        </>
      )}
      {time.reversalBy !== "" && !isOwn && (
        <>
          <p>{neighbor.name} would like to take this back.</p>
          <ButtonRow className={styles.buttons}>
            <Button size="sm" disabled={reverse.isPending} onClick={() => send(true, "You both took it back.")}>
              Agree
            </Button>
            <Button
              size="sm"
              variant="secondary"
              disabled={reverse.isPending}
              onClick={() => send(false, "It stays as it is.")}
            >
              Leave it as it is
            </Button>
          </ButtonRow>
        </>
      )}
      {isAsking && (
        <Confirm
          open
          onOpenChange={(open) => !open && setIsAsking(false)}
          title="Take it back?"
          description={`${neighbor.name} gets an email. It is taken back once they agree.`}
          action="Ask to take it back"
          actionVariant="primary"
          cancel="Leave it as it is"
          busy={reverse.isPending}
          onConfirm={() => send(true, `We've asked ${insideName(neighbor.name)}.`)}
        >
          {reverse.error && <Notice tone="danger">{reverse.error.message}</Notice>}
        </Confirm>
      )}
    </>
  );
}
