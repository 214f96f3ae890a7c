import { useQuery } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { Link } from "react-router-dom";
import { ProfileLink } from "@/components/profile-link";
import { paths } from "@/config/paths";
import { onSettled } from "@/lib/on-settled";
import { Field, Select } from "@/components/ui/field";
import { toast } from "@/lib/toast-store";
import { REPORT_KIND_LABELS, REPORT_REASON_LABELS } from "@/lib/report-labels";
import { DecisionForm, Options, StatusBadge, actorName } from "@/features/admin/contract";
import { Details, Facts } from "@/components/ui/details";
import styles from "@/components/ui/details.module.css";
import { reportQuery } from "../api/get-report";
import { type Resolution, useResolveReport } from "../api/resolve-report";
import type { ReportDetail, ReportRow } from "../lib/types";
import { formatRelativeTime } from "@porchlight/shared/format/dates";

const OUTCOME_LABELS = { acted: "Action taken", dismissed: "No action needed" };

/** The details of a report, and its resolution. */
export function ReportDialog({ report, onClose }: { report: ReportRow; onClose: () => void }) {
  const query = useQuery(reportQuery(report.id));
  return (
    <Details title={`Report: ${report.title || report.name || "Deleted account"}`} query={query} onClose={onClose}>
      {(data) => <Report report={data} />}
    </Details>
  );
}

function Report({ report }: { report: ReportDetail }) {
  return (
    <>
      <Facts
        facts={[
          ["Status", <StatusBadge key="status" status={report.status} />],
          ["Reason", REPORT_REASON_LABELS[report.reason] ?? report.reason],
          [REPORT_KIND_LABELS[report.kind] ?? report.kind, <Subject key="subject" report={report} />],
          ["Reported", formatRelativeTime(report.createdAt)],
          ["By", report.reporter ?? "A signed-out visitor"],
          ["Other open reports", String(report.alsoOpen)],
        ]}
      />
      {report.details && <blockquote className={styles.quote}>{report.details}</blockquote>}
      {report.status === "resolved" ? (
        <>
          <Facts
            facts={[
              ["Outcome", report.outcome && OUTCOME_LABELS[report.outcome]],
              [
                "Resolved",
                report.resolvedAt && `${formatRelativeTime(report.resolvedAt)} by ${actorName(report.resolvedBy)}`,
              ],
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
  if (!report.name) return "Deleted account";
  if (report.kind === "profile") return <ProfileLink handle={report.name}>@{report.name}</ProfileLink>;
  if (!report.guru) return report.name;
  const slug = report.name.split("/")[1];
  const address = `${window.location.protocol}//${report.guru}.${window.location.host}/${slug ? `blog/${slug}` : ""}`;
  return (
    <>
      <a href={address} target="_blank" rel="noreferrer">
        {report.name}
      </a>{" "}
      (<Link to={`${paths.adminSites}?search=${report.guru}`}>View site in admin</Link>)
    </>
  );
}

function Resolve({ report }: { report: ReportDetail }) {
  const resolve = useResolveReport(report.id);
  const form = useForm<Resolution>({ defaultValues: { outcome: "acted", note: "" } });

  const submit = form.handleSubmit(({ outcome, note }) =>
    onSettled(resolve.mutateAsync({ outcome, note: note.trim() }), () => toast.success("Report resolved.")),
  );

  return (
    <DecisionForm
      note={form.register("note")}
      maxNoteLength={2000}
      mutation={resolve}
      submitLabel="Resolve"
      onSubmit={submit}
    >
      <Field label="Outcome">
        <Select {...form.register("outcome")}>
          <Options labels={OUTCOME_LABELS} />
        </Select>
      </Field>
    </DecisionForm>
  );
}
