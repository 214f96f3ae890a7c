import { FileUp, X } from "lucide-react";
import { useEffect, useId, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { cx } from "@/lib/cx";
import { isPhoto } from "../api/upload-document-file";
import styles from "./documents.module.css";
import { formatFileSize } from "@porchlight/shared/format/numbers";

const MEGABYTE = 1024 * 1024;
const MAX_FILE_BYTES = 10 * MEGABYTE;
/** Photos are scaled down before their upload. */
const MAX_PHOTO_BYTES = 60 * MEGABYTE;
const TAKEN = ".pdf,.jpg,.jpeg,.png,.heic,.heif,application/pdf,image/jpeg,image/png,image/heic,image/heif";

type FileFieldProps = {
  file: File | null;
  onChange: (file: File | null) => void;
  error: string | undefined;
  onError: (message: string) => void;
};

/** A file input: choose, take a photo, or drop a file. */
export function FileField({ file, onChange, error, onError }: FileFieldProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const zone = useRef<HTMLDivElement>(null);
  const [over, setOver] = useState(false);

  function selectFile(candidate: File | undefined) {
    if (!candidate) return;
    const maxBytes = isPhoto(candidate) ? MAX_PHOTO_BYTES : MAX_FILE_BYTES;
    if (candidate.size > maxBytes) {
      onError(`That file is too large. Please choose one up to ${maxBytes / MEGABYTE} MB.`);
      return;
    }
    onError("");
    onChange(candidate);
  }

  // Dropping is a mouse shortcut; the button beside it works for everyone.
  useEffect(() => {
    const target = zone.current;
    if (!target) return;
    const listening = new AbortController();
    const { signal } = listening;
    const preventDefault = (event: DragEvent) => {
      event.preventDefault();
      setOver(true);
    };
    const handleDrop = (event: DragEvent) => {
      event.preventDefault();
      setOver(false);
      selectFile(event.dataTransfer?.files[0]);
    };
    target.addEventListener("dragover", preventDefault, { signal });
    target.addEventListener("dragleave", () => setOver(false), { signal });
    target.addEventListener("drop", handleDrop, { signal });
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
            <span className={styles.soft}>{formatFileSize(file.size)}</span>
          </p>
        ) : (
          <p id={`${id}-hint`} className={styles.soft}>
            PDF, JPEG, PNG or HEIC, up to 10 MB. We remove location data from photos.
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
            selectFile(event.target.files?.[0]);
            event.target.value = ""; // Allows choosing the same file again.
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
