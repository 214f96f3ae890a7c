import { FormField, Honeypot } from "../../../components/ui/form-field";
import { Notice } from "../../../components/ui/notice";
import type { PostedForm } from "../../../lib/types";
import type { Report } from "../api/create-report";
import { REASONS } from "../lib/reasons";
import { REPORT_ID, useReportForm } from "../lib/use-report-form";

const MAX_DETAILS_LENGTH = 2000;

interface ReportFormProps {
  reported: Pick<Report, "kind" | "name">;
  path: string;
  /** The result of a POST without JavaScript, or null. */
  form: PostedForm | null;
}

export function ReportForm({ reported, path, form }: ReportFormProps) {
  const { formRef, status, message, errors, onSubmit } = useReportForm(reported, form);
  const isChecking = status === "checking";
  return (
    <form
      ref={formRef}
      id={REPORT_ID}
      className="panel form"
      method="post"
      action={path}
      aria-label="Your report"
      onSubmit={onSubmit}
    >
      <div aria-live="assertive">
        {message !== null && (
          <Notice title={message}>
            <p>Your report is still here. Please check it and try again.</p>
          </Notice>
        )}
      </div>
      <FormField form="report" name="reason" label="What's wrong?" error={errors.reason}>
        {(attributes) => (
          // With a default, hydration would undo a choice that was made before it.
          <select {...attributes} required defaultValue={form?.values.reason}>
            <option value="">Choose a reason</option>
            {REASONS.map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        )}
      </FormField>
      <FormField form="report" name="details" label="Anything else we should know?" optional error={errors.details}>
        {(attributes) => (
          <textarea {...attributes} rows={6} maxLength={MAX_DETAILS_LENGTH} defaultValue={form?.values.details ?? ""} />
        )}
      </FormField>
      <Honeypot form="report" />
      <button className="button" type="submit" aria-disabled={status !== "editing"}>
        {isChecking ? "Checking…" : status === "editing" ? "Send report" : "Sending…"}
      </button>
      <p className="field-hint" role="status">
        {isChecking && "Checking that you are human… This takes a few seconds while we get a lot of reports."}
      </p>
    </form>
  );
}
