import { useState } from "react";
import { Button } from "@/components/ui/button";
import { LoadingBlock } from "@/components/ui/skeleton";
import { ErrorState } from "@/components/ui/state";
import { SectionCard } from "@/components/ui/section-card";
import { ButtonRow } from "@/components/ui/stack";
import type { BlockedTime } from "../lib/types";
import { useBlocks } from "../api/get-blocks";
import { useBlockActions } from "../lib/use-block-actions";
import { BlockForm } from "./block-form";
import styles from "./hours.module.css";
import { formatSession, formatSessionStart, localDay } from "@porchlight/shared/format/session-times";

function formatBlock({ startsAt, endsAt }: BlockedTime, zone: string): string {
  const isOneDay = localDay(startsAt, zone) === localDay(endsAt, zone);
  return isOneDay
    ? formatSession(startsAt, endsAt, zone)
    : `${formatSessionStart(startsAt, zone)} – ${formatSessionStart(endsAt, zone)}`;
}

/** Times at which the guru is busy. */
export function BlocksCard({ zone }: { zone: string }) {
  const blocks = useBlocks();
  const [isAdding, setIsAdding] = useState(false);
  const list = blocks.data?.blocks ?? [];
  return (
    <SectionCard
      id="hours-busy"
      title="I'm busy"
      hint="Block a trip or an appointment. Neighbors only see that the time isn't free."
    >
      {blocks.isPending && <LoadingBlock height="3.5rem" />}
      {blocks.isError && !blocks.data && (
        <ErrorState
          title="We couldn't load your busy times"
          message={blocks.error.message}
          onRetry={() => void blocks.refetch()}
          retrying={blocks.isFetching}
        />
      )}
      {list.length > 0 && (
        <ul className={styles.list} aria-label="Busy times">
          {list.map((block) => (
            <BlockRow key={block.id} block={block} label={formatBlock(block, zone)} />
          ))}
        </ul>
      )}
      {blocks.data &&
        (isAdding ? (
          <BlockForm zone={zone} onClose={() => setIsAdding(false)} />
        ) : (
          <ButtonRow>
            <Button variant="secondary" onClick={() => setIsAdding(true)}>
              Add a busy time
            </Button>
          </ButtonRow>
        ))}
    </SectionCard>
  );
}

function BlockRow({ block, label }: { block: BlockedTime; label: string }) {
  const { removeBlock, isRemoving } = useBlockActions();

  return (
    <li className={styles.item}>
      <p>{label}</p>
      <div className={styles.itemButtons}>
        <Button
          size="sm"
          variant="ghost"
          aria-label={`Remove ${label}`}
          loading={isRemoving}
          onClick={() => void removeBlock(block)}
        >
          Remove
        </Button>
      </div>
    </li>
  );
}
