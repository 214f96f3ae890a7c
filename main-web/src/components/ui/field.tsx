import { createContext, useContext, useId, useState, type ComponentProps, type ReactNode } from "react";
import { ChevronDown, CircleAlert, Eye, EyeOff } from "lucide-react";
import { cx } from "@/lib/cx";
import styles from "./field.module.css";

type FieldIds = { id: string; describedBy: string | undefined; invalid: boolean };

const FieldContext = createContext<FieldIds | null>(null);

type FieldProps = {
  label: string;
  hint?: string;
  /** The error message; also marks the control as invalid. */
  error?: string | undefined;
  optional?: boolean;
  children: ReactNode;
};

/** A label, control, hint and error; the control reads its ids from the context. */
export function Field({ label, hint, error, optional, children }: FieldProps) {
  const id = useId();
  const describedBy = cx(error && `${id}-error`, hint && `${id}-hint`) || undefined;
  return (
    <FieldContext value={{ id, describedBy, invalid: Boolean(error) }}>
      <div className={styles.field}>
        <label htmlFor={id} className={styles.label}>
          {label}
          {optional && <span className={styles.optional}>Optional</span>}
        </label>
        {children}
        {hint && (
          <p id={`${id}-hint`} className={styles.hint}>
            {hint}
          </p>
        )}
        <div aria-live="polite">
          {error && (
            <p id={`${id}-error`} className={styles.error}>
              <CircleAlert size={15} aria-hidden="true" />
              {error}
            </p>
          )}
        </div>
      </div>
    </FieldContext>
  );
}

function useFieldProps() {
  const field = useContext(FieldContext);
  if (!field) return {};
  return { id: field.id, "aria-describedby": field.describedBy, "aria-invalid": field.invalid || undefined };
}

export function Input({ className, ...rest }: ComponentProps<"input">) {
  return <input {...useFieldProps()} className={cx(styles.control, className)} {...rest} />;
}

export function TextArea({ className, rows = 5, ...rest }: ComponentProps<"textarea">) {
  return <textarea {...useFieldProps()} rows={rows} className={cx(styles.control, styles.area, className)} {...rest} />;
}

/** The native select, styled: it works best on phones and with assistive technology. */
export function Select({ className, children, ...rest }: ComponentProps<"select">) {
  return (
    <span className={styles.selectBox}>
      <select {...useFieldProps()} className={cx(styles.control, styles.select, className)} {...rest}>
        {children}
      </select>
      <ChevronDown size={18} aria-hidden="true" />
    </span>
  );
}

/** A password input with a show/hide toggle. */
export function PasswordInput({ className, ...rest }: Omit<ComponentProps<"input">, "type">) {
  const [isVisible, setIsVisible] = useState(false);
  return (
    <span className={styles.passwordBox}>
      <input
        {...useFieldProps()}
        type={isVisible ? "text" : "password"}
        className={cx(styles.control, styles.password, className)}
        autoCapitalize="none"
        spellCheck={false}
        {...rest}
      />
      <button
        type="button"
        className={styles.reveal}
        aria-pressed={isVisible}
        aria-label={isVisible ? "Hide password" : "Show password"}
        onClick={() => setIsVisible(!isVisible)}
      >
        {isVisible ? <EyeOff size={18} aria-hidden="true" /> : <Eye size={18} aria-hidden="true" />}
      </button>
    </span>
  );
}
