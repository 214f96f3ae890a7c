import { Search } from "lucide-react";
import { useRef, type SubmitEvent } from "react";
import { useNavigate } from "react-router-dom";
import { paths } from "@/config/paths";
import { cx } from "@/lib/cx";
import styles from "./search-form.module.css";

type SearchFormProps = {
  /** The accessible name of the field and its form; each form of a page has its own. */
  label: string;
  placeholder: string;
  size?: "md" | "lg";
  className?: string | undefined;
};

/** A field that opens the search page with what was typed. */
export function SearchForm({ label, placeholder, size = "md", className }: SearchFormProps) {
  const field = useRef<HTMLInputElement>(null);
  const navigate = useNavigate();

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const text = field.current?.value.trim() ?? "";
    void navigate(text ? `${paths.search}?q=${encodeURIComponent(text)}` : paths.search);
  }

  return (
    <form
      role="search"
      aria-label={label}
      action={paths.search}
      className={cx(styles.form, styles[size], className)}
      onSubmit={submit}
    >
      <input
        ref={field}
        name="q"
        aria-label={label}
        type="search"
        enterKeyHint="search"
        className={styles.input}
        placeholder={placeholder}
        autoComplete="off"
        maxLength={100}
      />
      <button type="submit" className={styles.submit} aria-label="Search">
        <Search size={20} aria-hidden="true" />
      </button>
    </form>
  );
}
