import { CircleCheck } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Notice } from "@/components/ui/notice";
import type { AcceptedWaiver } from "../api/accept-waiver";
import { LevelBadge } from "./level-badge";
import { formLevel } from "../lib/levels";
import { ReceiptButton } from "./receipt-button";
import type { Exchange } from "../lib/samples";
import styles from "./waivers.module.css";
import { formatDate } from "@porchlight/shared/format/dates";

export type ExchangeMessage = { tone: "success" | "warning"; text: string };

type ExchangeCardProps = {
  exchange: Exchange;
  accepted: AcceptedWaiver | undefined;
  /** What happened to the waiver of this exchange. */
  message: ExchangeMessage | null;
  /** Whether the waiver is about to open. */
  isOpening: boolean;
  /** Called when a press is likely. */
  onIntent: () => void;
  onJoin: () => void;
};

/** A sample exchange: its risk, and the button to join it or the accepted waiver. */
export function ExchangeCard({ exchange, accepted, message, isOpening, onIntent, onJoin }: ExchangeCardProps) {
  const Icon = exchange.icon;
  return (
    <Card as="li" className={styles.exchange}>
      <div className={styles.exchangeHead}>
        <Icon size={24} aria-hidden="true" />
        <LevelBadge level={formLevel(exchange.category)} />
      </div>
      <h3 className={styles.exchangeTitle}>{exchange.skill}</h3>
      <p className={styles.soft}>{exchange.activity}</p>
      <div aria-live="polite" className={styles.message}>
        {message && <Notice tone={message.tone}>{message.text}</Notice>}
      </div>
      {accepted ? (
        <Accepted exchange={exchange} accepted={accepted} />
      ) : (
        <Button
          onClick={onJoin}
          onPointerEnter={onIntent}
          onFocus={onIntent}
          loading={isOpening}
          aria-label={`Join Exchange (Waiver Required): ${exchange.skill}`}
          block
          className={styles.join}
        >
          Join Exchange (Waiver Required)
        </Button>
      )}
    </Card>
  );
}

function Accepted({ exchange, accepted }: { exchange: Exchange; accepted: AcceptedWaiver }) {
  return (
    <div className={styles.accepted}>
      <p className={styles.acceptedTitle}>
        <CircleCheck size={18} aria-hidden="true" />
        Liability waiver accepted
      </p>
      <p className={styles.waiverId}>Waiver ID: {accepted.waiverId}</p>
      <p className={styles.soft}>Valid until {formatDate(accepted.expiresAt)}</p>
      <ReceiptButton waiverId={accepted.waiverId} title={exchange.skill} />
    </div>
  );
}
