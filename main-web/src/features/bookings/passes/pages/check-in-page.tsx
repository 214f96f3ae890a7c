import { Lightbulb, ScanQrCode } from "lucide-react";
import { useState, type SubmitEvent } from "react";
import { Link, useSearchParams } from "react-router-dom";
import { paths } from "@/config/paths";
import { useFlag } from "@/lib/feature-flags";
import { useImpersonation } from "@/lib/impersonation";
import { PageHead } from "@/components/layout/page-head";
import { Button } from "@/components/ui/button";
import { PendingList } from "@/components/ui/data-list";
import { Field, Input } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { PageLead, PageTitle } from "@/components/ui/page-header";
import { EmptyState, ErrorState } from "@/components/ui/state";
import { ButtonRow } from "@/components/ui/stack";
import { SessionsOff } from "../../components/sessions-off";
import styles from "../components/passes.module.css";
import { RosterList } from "../components/roster-list";
import { mayUseCamera, reloadForCamera, Scanner } from "../components/scanner";
import { MAX_DEVICE_LENGTH, renameDevice } from "../lib/device-name";
import { isCode, normalCode } from "../lib/signed-pass";
import { useCheckIn, type CheckInState } from "../lib/use-check-in";
import { useKeptPage } from "../lib/use-kept-page";
import { useOnline } from "../lib/use-online";
import { ApiError } from "@porchlight/shared/client";
import { formatClock } from "@porchlight/shared/format/session-times";
import { pluralize } from "@porchlight/shared/format/numbers";

/** Where a guru checks people in: scan a pass, type a code or tap a name. It works without a connection. */
export function CheckInPage() {
  const isImpersonated = useImpersonation() !== null;
  const hasBookings = useFlag("booking");
  if (!hasBookings) return <SessionsOff />;
  return (
    <PageHead title="Check in" description="Check in the people who come to your sessions.">
      <div className={`container ${styles.checkIn}`}>
        <header className={styles.head}>
          <div>
            <PageTitle>Check in</PageTitle>
            <PageLead>
              Scan a pass, type its code or tap a name. <Link to={paths.guruCalendar}>Calendar</Link>
            </PageLead>
          </div>
        </header>
        {isImpersonated ? (
          <Notice>Only the guru sees who comes. You can see the sessions in the calendar.</Notice>
        ) : (
          <Content />
        )}
      </div>
    </PageHead>
  );
}

function Content() {
  const state = useCheckIn();
  const { roster, current } = state;
  if (!current) {
    if (roster.isPending) return <PendingList rows={3} height="5rem" />;
    if (roster.error instanceof ApiError && roster.error.status === 404) return <NoSite />;
    return (
      <ErrorState
        title="We couldn't load your list"
        message={roster.error?.message ?? ""}
        onRetry={() => void roster.refetch()}
        retrying={roster.isFetching}
      />
    );
  }
  return <Desk state={state} roster={current} />;
}

function NoSite() {
  return (
    <EmptyState
      icon={Lightbulb}
      title="You don't have a guru site yet"
      action={
        <Button asChild variant="secondary" size="sm">
          <Link to={paths.guru}>Get your own site</Link>
        </Button>
      }
    >
      Gurus check in the people who come to their sessions here.
    </EmptyState>
  );
}

function Desk({ state, roster }: { state: CheckInState; roster: NonNullable<CheckInState["current"]> }) {
  const [params, setParams] = useSearchParams();
  const isScanning = params.get("camera") === "on" && mayUseCamera();
  const [typed, setTyped] = useState("");

  async function submit(event: SubmitEvent) {
    event.preventDefault();
    const code = normalCode(typed);
    if (isCode(code) && (await state.checkInCode(code))) setTyped("");
  }

  return (
    <>
      {isScanning ? (
        <Scanner onText={state.scan} onClose={() => setParams({}, { replace: true })} />
      ) : (
        <Button
          size="lg"
          block
          onClick={() => (mayUseCamera() ? setParams({ camera: "on" }, { replace: true }) : reloadForCamera())}
        >
          <ScanQrCode size={20} aria-hidden="true" /> Scan passes
        </Button>
      )}
      <ResultNotice state={state} />
      <form className={styles.find} onSubmit={(event) => void submit(event)} role="search" aria-label="People">
        <Field label="Name or code">
          <Input
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={80}
          />
        </Field>
        <Button type="submit" variant="secondary" disabled={!isCode(normalCode(typed))}>
          Check in by code
        </Button>
      </form>
      {roster.more && <Notice>Very many people come these days, and the last ones are missing here.</Notice>}
      <RosterList
        roster={roster}
        wanted={typed}
        now={state.now()}
        onCheckIn={(found) => void state.checkIn(found)}
        onUndo={(found) => void state.undo(found)}
      />
      <ListState state={state} />
      <DeviceForm key={state.device} device={state.device} onRename={state.setDevice} />
    </>
  );
}

/** What came of the last pass, code or tap. The region is there before, so that screen readers announce each result. */
function ResultNotice({ state: { result, checkInAnyway, undo } }: { state: CheckInState }) {
  const found = result?.found;
  return (
    <div className={styles.result} aria-live="polite">
      {result && (
        <Notice key={result.number} tone={result.tone}>
          {result.text}
        </Notice>
      )}
      {result && found && (
        <ButtonRow>
          {result.tone === "warning" ? (
            <Button variant="secondary" onClick={() => void checkInAnyway(found, result.pass)}>
              Check in anyway
            </Button>
          ) : (
            <Button variant="secondary" onClick={() => void undo(found)}>
              Undo
            </Button>
          )}
        </ButtonRow>
      )}
    </div>
  );
}

/** How fresh the list is, and what waits for a connection. */
function ListState({ state: { roster, waiting } }: { state: CheckInState }) {
  const isOnline = useOnline();
  const worksOffline = useKeptPage(true);
  const loaded = roster.data;
  if (!loaded) return null;
  const zone = loaded.roster.sessions[0]?.zone ?? "";
  const at = formatClock(new Date(loaded.loadedAt).toISOString(), zone);
  return (
    <div className={styles.state}>
      <span role="status">{stateText(waiting, isOnline && !loaded.isKept)}</span>
      <span>
        {loaded.isKept ? "We couldn't load the list again. This is the one" : "List"} from {at}.
      </span>
      {worksOffline && <span>Works without a connection.</span>}
      <Button variant="ghost" size="sm" loading={roster.isFetching} onClick={() => void roster.refetch()}>
        {loaded.isKept ? "Try again" : "Update the list"}
      </Button>
    </div>
  );
}

function stateText(waiting: number, isConnected: boolean): string {
  if (waiting > 0) return `${pluralize(waiting, "check-in waits", "check-ins wait")} for a connection.`;
  return isConnected ? "Everything is saved." : "No connection. Check-ins are kept and sent later.";
}

function DeviceForm({ device, onRename }: { device: string; onRename: (name: string) => void }) {
  const [name, setName] = useState(device);
  const wanted = name.trim();

  function submit(event: SubmitEvent) {
    event.preventDefault();
    if (wanted === "") return;
    renameDevice(wanted);
    onRename(wanted);
  }

  return (
    <form className={styles.device} onSubmit={submit}>
      <Field label="Name of this device" hint="Other devices show it: “Already checked in by Front door”.">
        <Input value={name} onChange={(event) => setName(event.target.value)} maxLength={MAX_DEVICE_LENGTH} />
      </Field>
      <Button type="submit" variant="secondary" disabled={wanted === "" || wanted === device}>
        Save name
      </Button>
    </form>
  );
}
