import type { ReactNode } from "react";

interface FieldProps {
  name: string;
  label: string;
  error: string | undefined;
  optional?: boolean;
  /** Draws the control with the attributes that tie it to its label and its error. */
  children: (attributes: ControlAttributes) => ReactNode;
}

export interface ControlAttributes {
  id: string;
  name: string;
  "aria-invalid": true | undefined;
  "aria-describedby": string | undefined;
}

export function Field({ name, label, error, optional = false, children }: FieldProps) {
  const id = `lead-${name}`;
  return (
    <div className="field">
      <label htmlFor={id}>
        {label}
        {optional && <span className="optional"> (optional)</span>}
      </label>
      {children(controlAttributes(name, error))}
      <FieldError name={name} error={error} />
    </div>
  );
}

export function controlAttributes(name: string, error: string | undefined): ControlAttributes {
  return {
    id: `lead-${name}`,
    name,
    "aria-invalid": error === undefined ? undefined : true,
    "aria-describedby": error === undefined ? undefined : `lead-${name}-error`,
  };
}

export function FieldError({ name, error }: { name: string; error: string | undefined }) {
  if (error === undefined) return null;
  return (
    <p className="field-error" id={`lead-${name}-error`}>
      {error}
    </p>
  );
}
