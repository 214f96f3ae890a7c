import type { ReactNode } from "react";

interface FormFieldProps {
  /** Prefix of element ids, unique per page. */
  form: string;
  name: string;
  label: string;
  error: string | undefined;
  /** A short help text below the control. */
  hint?: string | undefined;
  optional?: boolean;
  /** Renders the control with the attributes that link it to its label, hint and error. */
  children: (attributes: ControlAttributes) => ReactNode;
}

export interface ControlAttributes {
  id: string;
  name: string;
  "aria-invalid": true | undefined;
  "aria-describedby": string | undefined;
}

export function FormField({ form, name, label, error, hint, optional = false, children }: FormFieldProps) {
  const attributes = controlAttributes(form, name, error, hint);
  return (
    <div className="field">
      <label htmlFor={attributes.id}>
        {label}
        {optional && <span className="optional"> (optional)</span>}
      </label>
      {children(attributes)}
      {hint !== undefined && (
        <p className="field-hint" id={`${form}-${name}-hint`}>
          {hint}
        </p>
      )}
      <FieldError form={form} name={name} error={error} />
    </div>
  );
}

export function controlAttributes(
  form: string,
  name: string,
  error: string | undefined,
  hint?: string,
): ControlAttributes {
  const descriptions = [
    ...(hint === undefined ? [] : [`${form}-${name}-hint`]),
    ...(error === undefined ? [] : [`${form}-${name}-error`]),
  ];
  return {
    id: `${form}-${name}`,
    name,
    "aria-invalid": error === undefined ? undefined : true,
    "aria-describedby": descriptions.length === 0 ? undefined : descriptions.join(" "),
  };
}

export function FieldError({ form, name, error }: Pick<FormFieldProps, "form" | "name" | "error">) {
  if (error === undefined) return null;
  return (
    <p className="field-error" id={`${form}-${name}-error`}>
      {error}
    </p>
  );
}

/** A field hidden from people. The API discards forms in which it is filled in. */
export function Honeypot({ form }: { form: string }) {
  return (
    <div className="honeypot" aria-hidden="true">
      <label htmlFor={`${form}-website`}>Leave this field empty</label>
      <input id={`${form}-website`} name="website" type="text" tabIndex={-1} autoComplete="off" />
    </div>
  );
}
