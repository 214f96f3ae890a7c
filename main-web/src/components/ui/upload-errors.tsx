import { Button } from "./button";
import { Notice } from "./notice";

type UploadErrorsProps = {
  errors: readonly string[];
  /** The photos that are kept for another attempt. */
  failed: readonly File[];
  busy: boolean;
  onRetry: (photos: File[]) => void;
};

/** What went wrong with uploaded photos, and a button that sends those that can still be added. */
export function UploadErrors({ errors, failed, busy, onRetry }: UploadErrorsProps) {
  return (
    <>
      {errors.map((message) => (
        <Notice key={message} tone="danger">
          {message}
        </Notice>
      ))}
      {failed.length > 0 && (
        <div>
          <Button variant="secondary" size="sm" loading={busy} onClick={() => onRetry([...failed])}>
            Try again
          </Button>
        </div>
      )}
    </>
  );
}
