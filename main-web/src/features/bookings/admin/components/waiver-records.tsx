import { ShieldCheck } from "lucide-react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Notice } from "@/components/ui/notice";
import { Skeleton } from "@/components/ui/skeleton";
import { ErrorState } from "@/components/ui/state";
import { actorName } from "@/features/admin/contract";
import type { WaiverChainsState, WaiverChainState } from "../lib/types";
import { useAcknowledgeWaiverTexts } from "../api/acknowledge-waiver-texts";
import { useWaiverState } from "../api/get-waiver-state";
import { describeVerification } from "../lib/waiver-state";
import styles from "./waiver-records.module.css";
import { formatRelativeTime } from "@porchlight/shared/format/dates";
import { formatNumber, pluralize } from "@porchlight/shared/format/numbers";

/** Whether the stored waivers are unchanged, by chain, and whether staff know the state of the texts. */
export function WaiverRecords() {
  const state = useWaiverState();
  return (
    <Card as="section" aria-labelledby="waiver-records" className={styles.panel}>
      <div className={styles.head}>
        <h2 id="waiver-records" className={styles.heading}>
          Waiver records
        </h2>
        {state.data && (
          <Button variant="secondary" size="sm" loading={state.isFetching} onClick={() => void state.refetch()}>
            {!state.isFetching && <ShieldCheck size={15} aria-hidden="true" />}
            Verify now
          </Button>
        )}
      </div>
      {state.isPending && (
        <>
          <p className="visually-hidden" role="status">
            Verifying the waivers...
          </p>
          <Skeleton height="3rem" radius="md" />
        </>
      )}
      {state.isError && !state.data && (
        <ErrorState
          title="We couldn't verify the waivers"
          message={state.error.message}
          onRetry={() => void state.refetch()}
          retrying={state.isFetching}
        />
      )}
      {state.data && (
        <>
          {state.isError && <Notice tone="danger">{state.error.message}</Notice>}
          <Result state={state.data} checkedAt={state.dataUpdatedAt} />
          <Texts state={state.data} />
        </>
      )}
    </Card>
  );
}

function Result({ state, checkedAt }: { state: WaiverChainsState; checkedAt: number }) {
  const broken = state.newestChains.find(({ fault }) => fault !== null);
  return (
    <>
      {broken ? (
        <Notice tone="danger">
          {nameOf(broken)}: {broken.fault} Don't rely on this record. Compare the database with your backup.
        </Notice>
      ) : (
        <Notice tone={state.links > 0 ? "success" : "info"}>{describeVerification(state, checkedAt)}</Notice>
      )}
      {state.newestChains.length > 0 && (
        <details>
          <summary className={styles.summary}>{pluralize(state.chains, "chain")}</summary>
          <ul className={styles.chains} aria-label="Chains">
            {state.newestChains.map((chain) => (
              <li key={chain.chainId}>
                <span className={styles.name}>{nameOf(chain)}</span>
                <span className={styles.note}>
                  {pluralize(chain.links, "record")}
                  {chain.lastAt && `, last one ${formatRelativeTime(chain.lastAt)}`}
                </span>
                {chain.fault ? <Badge tone="danger">Changed</Badge> : <Badge tone="good">No problems found</Badge>}
              </li>
            ))}
          </ul>
          {state.chains > state.newestChains.length && (
            <p className={styles.note}>Only the newest {formatNumber(state.newestChains.length)} are shown.</p>
          )}
        </details>
      )}
    </>
  );
}

function nameOf({ name, chainId }: WaiverChainState): string {
  return name || chainId;
}

function Texts({ state }: { state: WaiverChainsState }) {
  const acknowledge = useAcknowledgeWaiverTexts();
  const { textsAcknowledgedAt, textsAcknowledgedBy } = state;
  if (textsAcknowledgedAt) {
    return (
      <p className={styles.note}>
        {actorName(textsAcknowledgedBy ?? "Staff")} acknowledged {formatRelativeTime(textsAcknowledgedAt)} that a lawyer
        has to review the waiver texts.
      </p>
    );
  }
  return (
    <Notice tone="warning">
      <p>The waiver texts are templates. Have a lawyer review them before you go live.</p>
      {acknowledge.isError && <p role="alert">{acknowledge.error.message}</p>}
      <Button
        variant="secondary"
        size="sm"
        className={styles.acknowledge}
        loading={acknowledge.isPending}
        onClick={() => acknowledge.mutate()}
      >
        Acknowledge
      </Button>
    </Notice>
  );
}
