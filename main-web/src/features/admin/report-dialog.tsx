import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router-dom";
import { paths } from "../../app/paths";
import { afterwards } from "../../kit/afterwards";
import { Field, Select } from "../../ui/field";
import { formatAgo } from "../../ui/format-date";
import { toast } from "../../ui/toast-store";
import { DecisionForm, Options } from "./decision-form";
import { Details, Facts } from "./details";
import styles from "./details.module.css";
import { reportQuery } from "./get-report";
import { type Resolution, useResolve } from "./post-resolution";
import { KINDS, REASONS } from "../../kit/report/report-words";
import { StatusBadge } from "./status-badge";
import type { ReportDetail, ReportRow } from "./types";

const OUTCOMES = { acted: "Action taken", dismissed: "No action needed" };

/** Everything about one report, and its resolution. */
export function ReportDialog({ report, onClose }: { report: ReportRow; onClose: () => void }) {
  const query = useQuery(reportQuery(report.id));
  return (
    <Details title={`Report: ${report.title || report.name}`} query={query} onClose={onClose}>
      {(found) => <Report report={found} />}
    </Details>
  );
}

function Report({ report }: { report: ReportDetail }) {
  return (
    <>
      <Facts
        facts={[
          ["Status", <StatusBadge key="status" status={report.status} />],
          ["Reason", REASONS[report.reason] ?? report.reason],
          [KINDS[report.kind] ?? report.kind, <Subject key="subject" report={report} />],
          ["Reported", formatAgo(report.createdAt)],
          ["By", report.reporter ?? "A visitor who was not signed in"],
          ["Other open reports on it", String(report.alsoOpen)],
        ]}
      />
      {report.details && <blockquote className={styles.quote}>{report.details}</blockquote>}
      {report.status === "resolved" ? (
        <>
          <Facts
            facts={[
              ["Outcome", report.outcome && OUTCOMES[report.outcome]],
              ["Resolved", report.resolvedAt && `${formatAgo(report.resolvedAt)} by ${report.resolvedBy}`],
            ]}
          />
          {report.note && <blockquote className={styles.quote}>{report.note}</blockquote>}
        </>
      ) : (
        <Resolve report={report} />
      )}
    </>
  );
}

function Subject({ report }: { report: ReportDetail }) {
  if (report.kind === "profile") return <Link to={paths.publicProfile.replace(":handle", report.name)}>@{report.name}</Link>;
  if (!report.guru) return report.name;
  const slug = report.name.split("/")[1];
  const address = `${window.location.protocol}//${report.guru}.${window.location.host}/${slug ? `blog/${slug}` : ""}`;
  return (
    <>
      <a href={address} target="_blank" rel="noreferrer">
        {report.name}
      </a>{" "}
      (<Link to={`${paths.adminSites}?search=${report.guru}`}>site in the admin area</Link>)
    </>
  );
}

function Resolve({ report }: { report: ReportDetail }) {
  const resolve = useResolve(report.id);
  const [outcome, setOutcome] = useState<Resolution["outcome"]>("acted");
  const [note, setNote] = useState("");

  const submit = () =>
    afterwards(resolve.mutateAsync({ outcome, note: note.trim() }), () => toast.success("The report is resolved."));

  return (
    <DecisionForm note={note} onNote={setNote} longest={2000} change={resolve} act="Resolve" onSubmit={submit}>
      <Field label="Outcome">
        <Select value={outcome} onChange={(event) => setOutcome(event.target.value === "acted" ? "acted" : "dismissed")}>
          <Options words={OUTCOMES} />
        </Select>
      </Field>
    </DecisionForm>
  );
}
