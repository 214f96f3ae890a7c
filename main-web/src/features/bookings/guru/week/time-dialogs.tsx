import { Link } from "react-router-dom";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { ButtonRow, Stack } from "@/components/ui/stack";
import { paths } from "@/config/paths";
import { BlockForm, useBlockActions } from "@/features/hours/contract";
import { isoOf, type CalendarEvent } from "./events";
import type { Span } from "./layout";
import { formatSession } from "@porchlight/shared/format/session-times";

type FreeTimeDialogProps = {
  time: Span;
  zone: string;
  /** Called to book a session that starts then; null for a guru who can't. */
  onBook: (() => void) | null;
  onClose: () => void;
};

/** What to do with an empty time: block it, or book it for a customer. */
export function FreeTimeDialog({ time, zone, onBook, onClose }: FreeTimeDialogProps) {
  const [isBlocking, setIsBlocking] = useState(false);
  const [startsAt, endsAt] = [isoOf(time.from), isoOf(time.until)];
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={isBlocking ? "Block a time" : formatSession(startsAt, endsAt, zone)}
      description={isBlocking ? "Neighbors only see that the time isn't free." : "Nothing is planned then."}
      width={420}
    >
      {isBlocking ? (
        <BlockForm zone={zone} block={{ startsAt, endsAt }} onClose={onClose} />
      ) : (
        <ButtonRow>
          <Button onClick={() => setIsBlocking(true)}>Block this time</Button>
          {onBook && (
            <Button variant="secondary" onClick={onBook}>
              Book for a customer
            </Button>
          )}
        </ButtonRow>
      )}
    </Dialog>
  );
}

type BlockDialogProps = { block: { id: string; startsAt: string; endsAt: string }; zone: string; onClose: () => void };

/** Change a blocked time, or remove it. */
export function BlockDialog({ block, zone, onClose }: BlockDialogProps) {
  const { removeBlock, isRemoving } = useBlockActions();
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Blocked time"
      description="Neighbors only see that the time isn't free."
      width={420}
    >
      <Stack>
        <BlockForm zone={zone} block={block} onClose={onClose} />
        <ButtonRow>
          <Button
            variant="ghost"
            loading={isRemoving}
            onClick={() => void removeBlock(block).then((isDone) => isDone && onClose())}
          >
            Remove this blocked time
          </Button>
        </ButtonRow>
      </Stack>
    </Dialog>
  );
}

/** A time that the guru changes elsewhere: in a connected calendar. */
export function BusyDialog({ event, zone, onClose }: { event: CalendarEvent; zone: string; onClose: () => void }) {
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Busy in ${event.title}`}
      description={formatSession(isoOf(event.from), isoOf(event.until), zone)}
      width={420}
      startsAt="top"
    >
      <p>
        Neighbors can't book this time. Change it in that calendar, or see your{" "}
        <Link to={paths.guruHours}>connected calendars</Link>.
      </p>
    </Dialog>
  );
}
