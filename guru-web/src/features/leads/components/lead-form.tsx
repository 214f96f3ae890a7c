import { leadDetailNames, leadDetails } from "@porchlight/shared/lead-details";

import { controlAttributes, FieldError, FormField, Honeypot } from "../../../components/ui/form-field";
import { Notice } from "../../../components/ui/notice";
import type { Guru, PostedForm } from "../../../lib/types";
import { LEAD_ID, maxLengths } from "../lib/lead";
import { hasAnswer, useLeadForm } from "../lib/use-lead-form";
import { LeadSent } from "./lead-sent";

interface LeadFormProps {
  guru: Guru;
  services: { id: string; name: string }[];
  /** The result of a POST without JavaScript, or the service chosen in the URL, or null. */
  posted: PostedForm | null;
}

export function LeadForm({ guru, services, posted }: LeadFormProps) {
  const { formRef, status, errors, onSubmit, onInput, reset } = useLeadForm(guru.subdomain, posted);
  const values = posted?.values ?? {};
  if (status.kind === "sent") {
    return <LeadSent guru={guru} message={status.message} onReset={hasAnswer(posted) ? undefined : reset} />;
  }
  const isChecking = status.kind === "checking";
  const isSending = status.kind === "sending" || isChecking;
  return (
    <form
      ref={formRef}
      className="panel form"
      method="post"
      // Without JavaScript the answer is seen at once, too.
      action={`/contact#${LEAD_ID}`}
      id={LEAD_ID}
      aria-label="Your message"
      onSubmit={onSubmit}
      onInput={onInput}
    >
      <div aria-live="assertive">
        {status.kind === "failed" && (
          <Notice title={status.message}>
            <p>Your message is still here. Please check it and try again.</p>
          </Notice>
        )}
      </div>
      <div className="field-row">
        <FormField form="lead" name="name" label="Name" error={errors.name}>
          {(attributes) => (
            <input
              {...attributes}
              type="text"
              autoComplete="name"
              required
              maxLength={maxLengths.name}
              defaultValue={values.name}
            />
          )}
        </FormField>
        <FormField form="lead" name="email" label="Email" error={errors.email}>
          {(attributes) => (
            <input
              {...attributes}
              type="email"
              autoComplete="email"
              required
              maxLength={maxLengths.email}
              defaultValue={values.email}
            />
          )}
        </FormField>
      </div>
      <div className="field-row">
        {leadDetailNames.map((name) => {
          const { label, hint, ...input } = leadDetails[name];
          return (
            <FormField key={name} form="lead" name={name} label={label} hint={hint} optional error={errors[name]}>
              {(attributes) => <input {...attributes} {...input} defaultValue={values[name]} />}
            </FormField>
          );
        })}
        <FormField form="lead" name="serviceId" label="Service" optional error={errors.serviceId}>
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
        </FormField>
      </div>
      <FormField form="lead" name="message" label="Message" error={errors.message}>
        {(attributes) => (
          <textarea {...attributes} rows={6} required maxLength={maxLengths.message} defaultValue={values.message} />
        )}
      </FormField>
      <Honeypot form="lead" />
      <div className="field">
        <label className="consent">
          <input
            {...controlAttributes("lead", "consent", errors.consent)}
            type="checkbox"
            value="true"
            required
            defaultChecked={values.consent === "true"}
          />
          <span>{guru.character} may use these details to reply.</span>
        </label>
        <FieldError form="lead" name="consent" error={errors.consent} />
      </div>
      <button className="button" type="submit" aria-disabled={isSending}>
        {isChecking ? "Checking…" : isSending ? "Sending…" : "Send message"}
      </button>
      <p className="field-hint" role="status">
        {isChecking && "Checking… This takes a few seconds while this site gets a lot of messages."}
      </p>
    </form>
  );
}
