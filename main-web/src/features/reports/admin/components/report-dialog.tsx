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
import ownStyles from "./report-dialog.module.css";
import { reportQuery } from "../api/get-report";
import { type Resolution, useResolveReport } from "../api/resolve-report";
import { SUBJECT_STATES } from "../lib/subject-actions";
import type { ReportDetail, ReportRow } from "../lib/types";
import { SubjectActions } from "./subject-actions";
import { formatRelativeTime, formatTimestamp } from "@porchlight/shared/format/dates";

const MAX_NOTE_LENGTH = 2000;
const OUTCOME_LABELS = { acted: "Action taken", dismissed: "No action needed" };

/** Nothing is chosen for staff: an outcome that no one chose would be wrong in the records. */
type ResolutionForm = { outcome: Resolution["outcome"] | ""; note: string };

/** The details of a report, what staff can do about its subject, and its resolution. */
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
          ["Now", SUBJECT_STATES[report.subjectState]],
          [
            report.kind === "thread" ? "Reported person" : "Owner",
            report.owner && (
              <Link key="owner" to={`${paths.admin}?tab=users&search=${encodeURIComponent(report.owner.email)}`}>
                {report.owner.name}
              </Link>
            ),
          ],
        ]}
      />
      {report.details && <blockquote className={styles.quote}>{report.details}</blockquote>}
      {report.evidence.length > 0 && <Evidence messages={report.evidence} />}
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
        <OpenReport report={report} />
      )}
    </>
  );
}

/** The last messages of a reported conversation, as they were when it was reported. */
function Evidence({ messages }: { messages: ReportDetail["evidence"] }) {
  return (
    <section aria-labelledby="reported-messages">
      <h3 id="reported-messages" className={ownStyles.heading}>
        {messages.length === 1 ? "The last message" : `The last ${messages.length} messages`}
      </h3>
      <ol className={ownStyles.messages}>
        {messages.map((message, index) => (
          <li key={index} className={ownStyles.message}>
            <p className={ownStyles.author}>
              {message.author} · {formatTimestamp(message.at)}
            </p>
            <p className={ownStyles.words}>{message.removed ? "Removed by its author" : message.body}</p>
            {message.files.length > 0 && <p className={ownStyles.author}>Files: {message.files.join(", ")}</p>}
          </li>
        ))}
      </ol>
    </section>
  );
}

function Subject({ report }: { report: ReportDetail }) {
  if (!report.name) return "Deleted account";
  if (report.kind === "thread") return "Private messages";
  if (report.kind === "profile") return <ProfileLink handle={report.name}>@{report.name}</ProfileLink>;
  if (report.kind === "review" && report.guru)
    return <Link to={`${paths.adminReviews}?guru=${report.guru}`}>Reviews of {report.guru}</Link>;
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

/** An open report: act on what was reported, then resolve the report. */
function OpenReport({ report }: { report: ReportDetail }) {
  const resolve = useResolveReport(report.id);
  const form = useForm<ResolutionForm>({ defaultValues: { outcome: "", note: "" } });

  const submit = form.handleSubmit(({ outcome, note }) => {
    if (outcome === "") return;
    onSettled(resolve.mutateAsync({ outcome, note: note.trim() }), () => toast.success("Report resolved."));
  });

  function suggest(done: string) {
    form.setValue("outcome", "acted", { shouldValidate: true });
    if (form.getValues("note").trim() === "") form.setValue("note", done.slice(0, MAX_NOTE_LENGTH));
  }

  return (
    <>
      <SubjectActions report={report} onDone={suggest} />
      <DecisionForm
        note={form.register("note")}
        maxNoteLength={MAX_NOTE_LENGTH}
        mutation={resolve}
        submitLabel="Resolve"
        onSubmit={submit}
      >
        <Field label="Outcome" error={form.formState.errors.outcome?.message}>
          <Select {...form.register("outcome", { required: "Please choose what happened." })}>
            <option value="">Choose…</option>
            <Options labels={OUTCOME_LABELS} />
          </Select>
        </Field>
      </DecisionForm>
    </>
  );
}
