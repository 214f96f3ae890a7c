import { ScrollText, ShieldCheck } from "lucide-react";
import { useSearchParamsText } from "@/lib/use-search-params-text";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { PageHead } from "@/components/layout/page-head";
import { useSearchParamsChoice } from "@/lib/use-search-params-choice";
import styles from "./audit-page.module.css";
import { useAuditState } from "../api/get-audit-state";
import { ListFilters, ListView } from "../../components/list-view";
import { useAuditLog } from "../api/get-audit-log";
import { actorName } from "../../lib/actor-name";
import { formatUtcTimestamp } from "@porchlight/shared/format/dates";

const AREAS = [
  "",
  "admin",
  "site",
  "user",
  "listing",
  "post",
  "review",
  "session",
  "waiver",
  "report",
  "risk",
  "document",
  "impersonation",
  "flag",
  "job",
  "backup",
  "audit",
] as const;
const AREA_WORDS: Record<(typeof AREAS)[number], string> = {
  "": "Everything",
  admin: "Sign-ins",
  site: "Sites",
  user: "Users",
  listing: "Listings",
  post: "Posts",
  review: "Reviews",
  session: "Sessions",
  waiver: "Waivers",
  report: "Reports",
  risk: "Risk reviews",
  document: "Documents",
  impersonation: "Impersonations",
  flag: "Flags",
  job: "Failed jobs",
  backup: "Backups",
  audit: "Audit log",
};

/** The audit log of staff and command line actions: append-only, hash-chained, verifiable. */
export function AuditPage() {
  const [action, setAction] = useSearchParamsChoice("action", AREAS);
  const [subject, setSubject] = useSearchParamsText("subject");
  const [actor, setActor] = useSearchParamsText("actor");
  const list = useAuditLog({ action, subject, actor });
  return (
    <PageHead title="Audit log" description="Everything staff have done.">
      <State />
      <ListFilters
        search={{ label: "Subject (exact match)", value: subject, onChange: setSubject }}
        choices={[
          {
            label: "Actions",
            value: action,
            onChange: setAction,
            options: AREAS.map((area): [string, string] => [area, AREA_WORDS[area]]),
          },
        ]}
      />
      <ListView
        list={list}
        label="Actions"
        errorTitle="We couldn't load the audit log"
        empty={{ icon: ScrollText, title: "No entries yet." }}
        filtered={action !== "" || subject !== "" || actor !== ""}
        head={["Action", "Subject", "By", "When (UTC)", "Details"]}
        row={(entry) => ({
          key: String(entry.id),
          cells: [
            <span key="act" className={styles.act}>
              {entry.action}
              <span className={styles.number}>#{entry.id}</span>
            </span>,
            entry.subjectId ? `${entry.subjectKind} ${entry.subjectId}` : "–",
            <button
              key="actor"
              type="button"
              className={styles.actor}
              onClick={() => setActor(actor === entry.actor ? "" : entry.actor)}
            >
              {actorName(entry.actor)}{" "}
              {actorName(entry.actor) !== entry.actor && <span className={styles.number}>{entry.actor}</span>}
            </button>,
            formatUtcTimestamp(entry.at),
            <Particulars key="details" details={entry.details} />,
          ],
        })}
      />
    </PageHead>
  );
}

function Particulars({ details }: { details: Record<string, unknown> }) {
  const filledDetails = Object.entries(details).filter(([, value]) => value !== "" && value !== null);
  if (filledDetails.length === 0) return "–";
  return <span>{filledDetails.map(([name, value]) => `${name}: ${String(value)}`).join("; ")}</span>;
}

function State() {
  const state = useAuditState();
  return (
    <div className={styles.state}>
      <Button variant="secondary" size="sm" loading={state.isFetching} onClick={() => void state.refetch()}>
        {!state.isFetching && <ShieldCheck size={15} aria-hidden="true" />}
        Verify audit log
      </Button>
      {state.isError && <Notice tone="danger">{state.error.message}</Notice>}
      {state.data &&
        (state.data.whole ? (
          <Notice tone="success">Audit log verified: {state.data.entries} entries intact.</Notice>
        ) : (
          <Notice tone="danger">{state.data.fault}</Notice>
        ))}
    </div>
  );
}
