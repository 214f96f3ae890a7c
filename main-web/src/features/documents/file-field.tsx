import { FileUp, X } from "lucide-react";
import { useEffect, useId, useRef, useState } from "react";
import { Button } from "../../ui/button";
import { cx } from "../../ui/cx";
import styles from "./documents.module.css";

const LARGEST = 10 * 1024 * 1024;
const TAKEN = ".pdf,.jpg,.jpeg,.png,.heic,.heif,application/pdf,image/jpeg,image/png,image/heic,image/heif";

type FileFieldProps = {
  file: File | null;
  onChange: (file: File | null) => void;
  error: string | undefined;
  onError: (words: string) => void;
};

/** A file from this device: chosen, taken with the camera, or dropped here. */
export function FileField({ file, onChange, error, onError }: FileFieldProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const zone = useRef<HTMLDivElement>(null);
  const [over, setOver] = useState(false);

  function take(given: File | undefined) {
    if (!given) return;
    if (given.size > LARGEST) {
      onError("That file is too large. Please choose one of at most 10 MB.");
      return;
    }
    onError("");
    onChange(given);
  }

  // Dropping is a shortcut for the mouse: the button beside it does the same for everybody.
  useEffect(() => {
    const target = zone.current;
    if (!target) return;
    const listening = new AbortController();
    const { signal } = listening;
    const hold = (event: DragEvent) => {
      event.preventDefault();
      setOver(true);
    };
    const drop = (event: DragEvent) => {
      event.preventDefault();
      setOver(false);
      take(event.dataTransfer?.files[0]);
    };
    target.addEventListener("dragover", hold, { signal });
    target.addEventListener("dragleave", () => setOver(false), { signal });
    target.addEventListener("drop", drop, { signal });
    return () => listening.abort();
  });

  return (
    <div className={styles.fileField}>
      <label htmlFor={id} className={styles.fileLabel}>
        File
      </label>
      <div ref={zone} className={cx(styles.drop, over && styles.over, error && styles.wrong)}>
        <FileUp size={22} aria-hidden="true" className={styles.dropIcon} />
        {file ? (
          <p className={styles.chosen}>
            <span>{file.name}</span>
            <span className={styles.soft}>{size(file.size)}</span>
          </p>
        ) : (
          <p id={`${id}-hint`} className={styles.soft}>
            PDF, JPEG, PNG or HEIC, up to 10 MB. Places that photos carry are removed.
          </p>
        )}
        <span className={styles.dropActions}>
          <Button variant="secondary" size="sm" onClick={() => input.current?.click()}>
            {file ? "Choose another" : "Choose a file"}
          </Button>
          {file && (
            <Button variant="ghost" size="sm" aria-label={`Remove ${file.name}`} onClick={() => onChange(null)}>
              <X size={16} aria-hidden="true" />
              Remove
            </Button>
          )}
        </span>
        <input
          ref={input}
          id={id}
          type="file"
          accept={TAKEN}
          className="visually-hidden"
          tabIndex={-1}
          aria-describedby={cx(error && `${id}-error`, !file && `${id}-hint`) || undefined}
          aria-invalid={error ? true : undefined}
          onChange={(event) => {
            take(event.target.files?.[0]);
            event.target.value = ""; // the same file may be chosen again
          }}
        />
      </div>
      <div aria-live="polite">
        {error && (
          <p id={`${id}-error`} className={styles.fileError}>
            {error}
          </p>
        )}
      </div>
    </div>
  );
}

function size(bytes: number): string {
  return bytes < 1024 * 1024 ? `${Math.max(1, Math.round(bytes / 1024))} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
