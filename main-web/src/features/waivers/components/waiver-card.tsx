import { useState } from "react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { LevelBadge } from "./level-badge";
import { ReceiptButton } from "./receipt-button";
import type { Waiver } from "../api/get-waivers";
import { stateText } from "../lib/waiver-texts";
import { WithdrawDialog } from "./withdraw-dialog";
import styles from "./waivers-page.module.css";
import { formatTimestamp } from "@porchlight/shared/format/dates";
import { pluralize } from "@porchlight/shared/format/numbers";

/** A waiver: what it is for, its state, its receipt, and the button to withdraw it while it is valid. */
export function WaiverCard({ waiver }: { waiver: Waiver }) {
  const [isWithdrawing, setIsWithdrawing] = useState(false);
  const { label, tone, text } = stateText(waiver);
  const { exchangeTitle, guruName, openSessions } = waiver;
  return (
    <Card as="li" className={styles.card}>
      <div className={styles.head}>
        <h2 className={styles.name}>{exchangeTitle}</h2>
        <Badge tone={tone}>{label}</Badge>
        <LevelBadge level={waiver.level} />
        {waiver.isSample && <Badge>Practice</Badge>}
      </div>
      {guruName && <p className={styles.soft}>with {guruName}</p>}
      <p>
        {waiver.signed ? "Signed" : "Accepted"} {formatTimestamp(waiver.acceptedAt)}
        <br />
        {text}
        {openSessions > 0 && (
          <>
            <br />
            Covers {pluralize(openSessions, "upcoming session")}
          </>
        )}
      </p>
      {waiver.state === "outdated" && (
        <p>You'll be asked to accept the new one when you book, or from the session if it's booked already.</p>
      )}
      <p className={styles.id}>Waiver ID: {waiver.waiverId}</p>
      <div className={styles.buttons}>
        <ReceiptButton waiverId={waiver.waiverId} title={exchangeTitle} />
        {waiver.state === "valid" && (
          <Button
            variant="ghost"
            size="sm"
            aria-label={`Withdraw waiver: ${exchangeTitle}`}
            onClick={() => setIsWithdrawing(true)}
          >
            Withdraw
          </Button>
        )}
      </div>
      {isWithdrawing && <WithdrawDialog waiver={waiver} onClose={() => setIsWithdrawing(false)} />}
    </Card>
  );
}
