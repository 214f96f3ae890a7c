import { lazy, Suspense, useRef, useState } from "react";
import { Link } from "react-router-dom";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { CheckField } from "@/components/ui/check-field";
import { Confirm } from "@/components/ui/confirm";
import { Hint } from "@/components/ui/hint";
import { Notice } from "@/components/ui/notice";
import { SectionCard } from "@/components/ui/section-card";
import { LoadingBlock } from "@/components/ui/skeleton";
import { ButtonRow } from "@/components/ui/stack";
import { ErrorState } from "@/components/ui/state";
import { paths } from "@/config/paths";
import { errorMessage } from "@/lib/errors";
import { toast } from "@/lib/toast-store";
import { useBusySources } from "../api/get-busy-sources";
import { useKeepBusySource } from "../api/keep-busy-source";
import { useReadBusySource } from "../api/read-busy-source";
import { useRemoveBusySource } from "../api/remove-busy-source";
import { useUpdateBusySource } from "../api/update-busy-source";
import { STATE_LABELS, STATE_TONES, stateText } from "../lib/busy-source-texts";
import type { BusySource, BusySourceList } from "../lib/types";
import styles from "./hours.module.css";

const ConnectDialog = lazy(async () => ({ default: (await import("./connect-dialog")).ConnectDialog }));
const FORBIDDEN = 403;

/** The guru's other calendars, whose busy times neighbors can't book. */
export function ConnectedCalendarsCard() {
  const sources = useBusySources();
  const [isAdding, setIsAdding] = useState(false);
  const top = useRef<HTMLDivElement>(null);
  // Staff who look at the console as the guru don't see their calendars.
  if (sources.error && "status" in sources.error && sources.error.status === FORBIDDEN) return null;
  const list = sources.data;
  return (
    <div ref={top} tabIndex={-1}>
      <SectionCard
        id="connected-calendars"
        title="Connected calendars"
        hint="Neighbors can't book you when another calendar of yours has something. We only read and keep the times."
      >
        {sources.isPending && <LoadingBlock height="3.5rem" />}
        {sources.isError && !list && (
          <ErrorState
            title="We couldn't load your connected calendars"
            message={sources.error.message}
            onRetry={() => void sources.refetch()}
            retrying={sources.isFetching}
          />
        )}
        {list && list.sources.length > 0 && (
          <ul className={styles.list} aria-label="Connected calendars">
            {list.sources.map((source) => (
              <SourceRow key={source.id} source={source} onRemoved={() => top.current?.focus()} />
            ))}
          </ul>
        )}
        {list && <AddCalendar list={list} onAdd={() => setIsAdding(true)} />}
        {isAdding && (
          <Suspense fallback={null}>
            <ConnectDialog
              most={(list?.maxSources ?? 0) - (list?.sources.length ?? 0)}
              onClose={() => setIsAdding(false)}
            />
          </Suspense>
        )}
      </SectionCard>
    </div>
  );
}

function AddCalendar({ list, onAdd }: { list: BusySourceList; onAdd: () => void }) {
  if (!list.isAvailable) return <Notice>Calendars can't be connected here yet.</Notice>;
  if (!list.isIncluded) {
    return (
      <Notice>
        Calendar integration is part of Skill Sharer. <Link to={paths.pricing}>See the plans</Link>
      </Notice>
    );
  }
  if (list.sources.length >= list.maxSources) {
    return <Hint>You've connected {list.maxSources} calendars. Remove one to connect another.</Hint>;
  }
  return (
    <ButtonRow>
      <Button variant="secondary" onClick={onAdd}>
        Connect a calendar
      </Button>
    </ButtonRow>
  );
}

function SourceRow({ source, onRemoved }: { source: BusySource; onRemoved: () => void }) {
  const { id, name } = source;
  const [isRemoving, setIsRemoving] = useState(false);
  const update = useUpdateBusySource(id);
  const read = useReadBusySource(id);
  const keep = useKeepBusySource(id);
  const remove = useRemoveBusySource(id);

  async function run(action: () => Promise<unknown>, done: string) {
    try {
      await action();
      toast.success(done);
    } catch (reason) {
      toast.error(errorMessage(reason));
    }
  }

  function changeDays(allDayBlocks: boolean) {
    if (!update.isPending) void run(() => update.mutateAsync({ allDayBlocks }), "Saved.");
  }

  async function removeSource() {
    try {
      await remove.mutateAsync(undefined);
      toast.success(`Removed. ‘${name}’ doesn't count any more.`);
      onRemoved();
    } catch (reason) {
      toast.error(errorMessage(reason));
    }
  }

  return (
    <li className={styles.source}>
      <div className={styles.sourceHead}>
        <h3 className={styles.sourceName}>{name}</h3>
        <Badge tone={STATE_TONES[source.state]}>{STATE_LABELS[source.state]}</Badge>
      </div>
      <Hint>{source.host}</Hint>
      <p aria-live="polite">{stateText(source)}</p>
      <CheckField
        id={`all-day-${id}`}
        label="All-day events keep the whole day busy"
        checked={source.allDayBlocks}
        aria-busy={update.isPending || undefined}
        onChange={(event) => changeDays(event.target.checked)}
      />
      <div className={styles.itemButtons}>
        {source.state === "decide" && (
          <Button
            size="sm"
            variant="secondary"
            loading={keep.isPending}
            onClick={() => void run(() => keep.mutateAsync(undefined), "We keep going by its old times for now.")}
          >
            Keep its old times<span className="visually-hidden">: {name}</span>
          </Button>
        )}
        {source.state !== "paused" && (
          <Button
            size="sm"
            variant="ghost"
            loading={read.isPending}
            onClick={() => void run(() => read.mutateAsync(), "We're reading it now.")}
          >
            Read now<span className="visually-hidden">: {name}</span>
          </Button>
        )}
        <Button size="sm" variant="ghost" onClick={() => setIsRemoving(true)}>
          Remove <span className="visually-hidden">{name}</span>
        </Button>
      </div>
      <Confirm
        open={isRemoving}
        onOpenChange={setIsRemoving}
        title={`Remove ‘${name}’?`}
        description="Neighbors can book you at the times that it kept busy. We delete its address and password."
        action="Remove calendar"
        busy={remove.isPending}
        onConfirm={() => void removeSource()}
      />
    </li>
  );
}
