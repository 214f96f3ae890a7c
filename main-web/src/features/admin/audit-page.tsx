import { ScrollText, ShieldCheck } from "lucide-react";
import { useAddressText } from "../../kit/use-address-text";
import { Button } from "../../ui/button";
import { Notice } from "../../ui/notice";
import { Page } from "../../ui/page";
import styles from "./audit-page.module.css";
import { useAuditState } from "./get-audit-state";
import { ListFilters, ListView } from "./list-view";
import type { AuditRow } from "./types";
import { useChoice } from "./use-choice";
import { useList } from "./use-list";

const MOMENT = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeStyle: "medium", timeZone: "UTC" });
const AREAS = ["", "admin", "site", "user", "listing", "report", "risk", "document", "impersonation", "flag", "audit"] as const;
const AREA_WORDS: Record<(typeof AREAS)[number], string> = {
  "": "Everything",
  admin: "Signing in",
  site: "Sites",
  user: "Users",
  listing: "Listings",
  report: "Reports",
  risk: "Risk reviews",
  document: "Documents",
  impersonation: "Views as a guru",
  flag: "Flags",
  audit: "The log itself",
};

/** Every act of staff and of the command line: append-only, hash-chained, verifiable. */
export function AuditPage() {
  const [action, setAction] = useChoice("action", AREAS);
  const [subject, setSubject] = useAddressText("subject");
  const [actor, setActor] = useAddressText("actor");
  const list = useList<AuditRow>("audit", { action, subject, actor });
  return (
    <Page title="Audit log" description="Every act of staff.">
      <h2 className={styles.heading}>Audit log</h2>
      <State />
      <ListFilters
        search={{ label: "Subject, exactly", value: subject, onChange: setSubject }}
        choices={[
          {
            label: "Acts",
            value: action,
            onChange: setAction,
            options: AREAS.map((area): [string, string] => [area, AREA_WORDS[area]]),
          },
        ]}
      />
      <ListView
        list={list}
        label="Acts"
        trouble="The audit log could not be loaded"
        empty={{ icon: ScrollText, title: "Nothing has been done yet." }}
        filtered={action !== "" || subject !== "" || actor !== ""}
        head={["Act", "Subject", "By", "When (UTC)", "Details"]}
        row={(act) => ({
          key: String(act.id),
          cells: [
            <span key="act" className={styles.act}>
              {act.action}
              <span className={styles.number}>No. {act.id}</span>
            </span>,
            act.subjectId ? `${act.subjectKind} ${act.subjectId}` : "–",
            <button key="actor" type="button" className={styles.actor} onClick={() => setActor(actor === act.actor ? "" : act.actor)}>
              {act.actor}
            </button>,
            MOMENT.format(new Date(act.at)),
            <Particulars key="details" details={act.details} />,
          ],
        })}
      />
    </Page>
  );
}

function Particulars({ details }: { details: Record<string, unknown> }) {
  const told = Object.entries(details).filter(([, value]) => value !== "" && value !== null);
  if (told.length === 0) return "–";
  return <span>{told.map(([name, value]) => `${name}: ${String(value)}`).join("; ")}</span>;
}

function State() {
  const state = useAuditState();
  return (
    <div className={styles.state}>
      <Button variant="secondary" size="sm" loading={state.isFetching} onClick={() => void state.refetch()}>
        {!state.isFetching && <ShieldCheck size={15} aria-hidden="true" />}
        Verify the log
      </Button>
      {state.isError && <Notice tone="danger">{state.error.message}</Notice>}
      {state.data &&
        (state.data.whole ? (
          <Notice tone="success">The audit log is whole: {state.data.entries} entries.</Notice>
        ) : (
          <Notice tone="danger">{state.data.fault}</Notice>
        ))}
    </div>
  );
}
