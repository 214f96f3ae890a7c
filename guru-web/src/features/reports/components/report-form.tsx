import { FormField, Honeypot } from "../../../components/ui/form-field";
import { Notice } from "../../../components/ui/notice";
import type { PostedForm } from "../../../lib/types";

const REASONS: readonly [string, string][] = [
  ["spam", "Spam or advertising"],
  ["scam", "Scam or fraud"],
  ["offensive", "Hateful or offensive"],
  ["dangerous", "Dangerous or illegal"],
  ["impersonation", "Pretends to be someone else"],
  ["rights", "Uses someone's work without permission"],
  ["other", "Something else"],
];
const MAX_DETAILS_LENGTH = 2000;

export function ReportForm({ path, form }: { path: string; form: PostedForm | null }) {
  const errors = form?.errors ?? {};
  return (
    <form className="panel form" method="post" action={path} aria-label="Your report">
      {form?.message ? (
        <Notice title={form.message}>
          <p>Your report is still here. Please check it and try again.</p>
        </Notice>
      ) : null}
      <FormField form="report" name="reason" label="What's wrong?" error={errors.reason}>
        {(attributes) => (
          <select {...attributes} required defaultValue={form?.values.reason ?? ""}>
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
      <button className="button" type="submit">
        Send report
      </button>
    </form>
  );
}
