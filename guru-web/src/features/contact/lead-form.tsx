import { Notice } from "../../site/notice";
import type { Guru, LeadFormState } from "../../site/types";
import { Icon } from "../../ui/icon";
import { controlAttributes, Field, FieldError } from "./field";
import { lengthLimits } from "./lead";
import { useLeadForm } from "./use-lead-form";

interface LeadFormProps {
  guru: Guru;
  services: { id: string; name: string }[];
  /** What the server answered when the form was posted without JavaScript. */
  posted: LeadFormState | null;
}

export function LeadForm({ guru, services, posted }: LeadFormProps) {
  const { form, phase, errors, onSubmit, onInput, writeAnother } = useLeadForm(guru.subdomain, posted);
  const values = posted?.values ?? {};
  if (phase.kind === "sent") return <Sent guru={guru} message={phase.message} onAnother={posted === null ? writeAnother : undefined} />;
  const sending = phase.kind === "sending";
  return (
    <form ref={form} className="panel form" method="post" action="/contact" aria-label="Your message" onSubmit={onSubmit} onInput={onInput}>
      <div aria-live="assertive">
        {phase.kind === "failed" && (
          <Notice title={phase.message}>
            <p>Nothing you typed is lost. Please look it over and send it again.</p>
          </Notice>
        )}
      </div>
      <div className="field-row">
        <Field name="name" label="Name" error={errors.name}>
          {(attributes) => (
            <input {...attributes} type="text" autoComplete="name" required maxLength={lengthLimits.name} defaultValue={values.name} />
          )}
        </Field>
        <Field name="email" label="Email" error={errors.email}>
          {(attributes) => (
            <input {...attributes} type="email" autoComplete="email" required maxLength={lengthLimits.email} defaultValue={values.email} />
          )}
        </Field>
      </div>
      <div className="field-row">
        <Field name="phone" label="Phone" optional error={errors.phone}>
          {(attributes) => (
            <input {...attributes} type="tel" autoComplete="tel" maxLength={lengthLimits.phone} defaultValue={values.phone} />
          )}
        </Field>
        <Field name="serviceId" label="Service" optional error={errors.serviceId}>
          {(attributes) => (
            <select {...attributes} defaultValue={values.serviceId ?? ""}>
              <option value="">No preference</option>
              {services.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Field>
      </div>
      <Field name="message" label="Message" error={errors.message}>
        {(attributes) => <textarea {...attributes} rows={6} required maxLength={lengthLimits.message} defaultValue={values.message} />}
      </Field>
      <div className="trap" aria-hidden="true">
        <label htmlFor="lead-website">Leave this empty</label>
        <input id="lead-website" name="website" type="text" tabIndex={-1} autoComplete="off" />
      </div>
      <div className="field">
        <label className="consent">
          <input
            {...controlAttributes("consent", errors.consent)}
            type="checkbox"
            value="true"
            required
            defaultChecked={values.consent === "true"}
          />
          <span>I agree that {guru.character} uses these details to answer me.</span>
        </label>
        <FieldError name="consent" error={errors.consent} />
      </div>
      <button className="button" type="submit" aria-disabled={sending}>
        {sending ? "Sending…" : "Send message"}
      </button>
    </form>
  );
}

interface SentProps {
  guru: Guru;
  message: string;
  /** Shows the empty form again; absent when the server drew this page, then the link leads to a fresh one. */
  onAnother: (() => void) | undefined;
}

function Sent({ guru, message, onAnother }: SentProps) {
  return (
    <div className="panel sent" role="status">
      <Icon name="circle-check" />
      <h2>Message sent</h2>
      <p>{message === "" ? `Thank you. ${guru.character} will write to you soon.` : message}</p>
      <a
        className="button button-quiet"
        href="/contact"
        onClick={(event) => {
          if (onAnother === undefined) return;
          event.preventDefault();
          onAnother();
        }}
      >
        Write another
      </a>
    </div>
  );
}
