import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { toast } from "@/lib/toast-store";
import { errorMessage } from "@/lib/errors";
import { personName } from "@/lib/person-name";
import type { GuruBooking } from "../lib/types";
import { useWithdrawProposal } from "../api/withdraw-proposal";
import styles from "./calendar.module.css";
import { formatSessionStart } from "@porchlight/shared/format/session-times";

type ProposalStateProps = { booking: GuruBooking; proposal: NonNullable<GuruBooking["proposal"]> };

/** The guru's open proposal of another time, which they can withdraw. */
export function ProposalState({ booking, proposal }: ProposalStateProps) {
  const withdraw = useWithdrawProposal(booking.id);
  const isRequest = booking.status === "requested";
  const what = isRequest ? "request" : "session";

  async function run(wholeSeries: boolean) {
    try {
      await withdraw.mutateAsync(wholeSeries);
      toast.success(
        wholeSeries ? `Withdrawn. The ${what}s stay as they are.` : `Withdrawn. The ${what} stays as it is.`,
      );
    } catch (error) {
      toast.error(errorMessage(error));
    }
  }

  return (
    <Notice>
      <div className={styles.proposal}>
        <p>
          <strong>Waiting for {personName(booking)}&apos;s answer</strong>
        </p>
        <p>
          {isRequest ? "You suggested" : "You asked to move this session to"}{" "}
          {formatSessionStart(proposal.startsAt, booking.zone)}.
        </p>
        <p>
          Without an answer by {formatSessionStart(proposal.answerUntil, booking.zone)},{" "}
          {isRequest && booking.expiresAt === proposal.answerUntil ? "the request expires" : "it stays as it is"}.
        </p>
        <Button size="sm" variant="secondary" loading={withdraw.isPending} onClick={() => void run(false)}>
          Withdraw
        </Button>
        {booking.seriesId !== null && (
          <Button size="sm" variant="secondary" loading={withdraw.isPending} onClick={() => void run(true)}>
            Withdraw for the whole series
          </Button>
        )}
      </div>
    </Notice>
  );
}
