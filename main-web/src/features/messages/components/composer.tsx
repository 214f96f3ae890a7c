import { Paperclip, RotateCw, SendHorizontal, X } from "lucide-react";
import { useEffect, useImperativeHandle, useLayoutEffect, useRef, type KeyboardEvent, type Ref } from "react";
import { Button } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";
import type { Pending, Target } from "../lib/outbox";
import { useComposer } from "../lib/use-composer";
import { fileUrl } from "../lib/files";
import { ACCEPTED_FILES, COUNTED_FROM, MAX_BODY_LENGTH } from "../lib/texts";
import styles from "./composer.module.css";

/** What the conversation around does: attach dropped files, and give back a message that was not sent. */
export type ComposerHandle = { add: (files: File[]) => void; edit: (message: Pending) => void };

type ComposerProps = {
  ref: Ref<ComposerHandle>;
  target: Target;
  /** To whom: "Message Theo". */
  label: string;
  /** Words to begin with. */
  firstWords?: string;
};

const isApple = () => /Mac|iPhone|iPad/.test(navigator.userAgent);
const growsByItself = () => typeof CSS !== "undefined" && CSS.supports("field-sizing", "content");

/** Where a message is written: text that grows, files, and how to send it. */
export function Composer({ ref, target, label, firstWords = "" }: ComposerProps) {
  const composer = useComposer(target, firstWords);
  const { body, attachments, canSend } = composer;
  const field = useRef<HTMLTextAreaElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  useImperativeHandle(ref, () => ({
    add: (files) => attachments.add(files),
    edit: (message) => {
      composer.edit(message);
      field.current?.focus({ preventScroll: true });
    },
  }));

  useLayoutEffect(() => {
    const area = field.current;
    if (!area || growsByItself()) return;
    area.style.height = "auto";
    area.style.height = `${area.scrollHeight}px`;
  }, [body]);

  // A wide screen has a keyboard; on a phone it would cover the conversation. After the frame, which moves the focus to
  // the heading of a new page.
  useEffect(() => {
    if (isWide()) queueMicrotask(() => field.current?.focus({ preventScroll: true }));
  }, []);

  function send() {
    composer.send();
    field.current?.focus();
  }

  function handleKey(event: KeyboardEvent) {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.nativeEvent.isComposing) return;
    event.preventDefault();
    if (canSend) send();
  }

  return (
    <form
      className={styles.composer}
      onSubmit={(event) => {
        event.preventDefault();
        if (canSend) send();
      }}
    >
      <Attachments composer={composer} />
      <div className={styles.box}>
        <button
          type="button"
          className={styles.attach}
          aria-label="Attach files"
          onClick={() => picker.current?.click()}
        >
          <Paperclip size={20} aria-hidden="true" />
        </button>
        <input
          ref={picker}
          type="file"
          multiple
          accept={ACCEPTED_FILES}
          className="visually-hidden"
          tabIndex={-1}
          aria-label="Files"
          onChange={(event) => {
            const files = [...(event.target.files ?? [])];
            event.target.value = "";
            if (files.length > 0) attachments.add(files);
          }}
        />
        <textarea
          ref={field}
          rows={1}
          className={styles.field}
          aria-label={label}
          placeholder={label}
          dir="auto"
          value={body}
          onChange={(event) => composer.change(event.target.value)}
          onKeyDown={handleKey}
          onPaste={(event) => {
            const files = [...event.clipboardData.files];
            if (files.length === 0) return;
            event.preventDefault();
            attachments.add(files);
          }}
        />
        <Button type="submit" size="sm" className={styles.send} aria-label="Send" disabled={!canSend}>
          <SendHorizontal size={18} aria-hidden="true" />
        </Button>
      </div>
      <div className={styles.foot}>
        <span className={styles.keys}>{isApple() ? "Cmd" : "Ctrl"} + Enter sends</span>
        <span aria-live="polite" className={body.length > MAX_BODY_LENGTH ? styles.tooLong : undefined}>
          {body.length >= COUNTED_FROM && countText(body.length)}
        </span>
      </div>
    </form>
  );
}

function isWide() {
  return typeof window.matchMedia === "function" && window.matchMedia("(min-width: 900px) and (pointer: fine)").matches;
}

function countText(length: number): string {
  const left = MAX_BODY_LENGTH - length;
  if (left >= 0) return `${left.toLocaleString("en-US")} characters left`;
  return `${(-left).toLocaleString("en-US")} characters too many`;
}

/** The files of the message that is being written. */
function Attachments({ composer }: { composer: ReturnType<typeof useComposer> }) {
  const { files, removeFile, attachments } = composer;
  const { uploads, notice } = attachments;
  return (
    <>
      {(files.length > 0 || uploads.length > 0) && (
        <ul className={styles.files} aria-label="Attached files">
          {files.map((file) => (
            <li key={file.id} className={styles.file}>
              {file.isImage ? (
                <img src={fileUrl(file, "thumb")} alt="" className={styles.thumb} />
              ) : (
                <Paperclip size={16} aria-hidden="true" />
              )}
              <bdi className={styles.fileName}>{file.name}</bdi>
              <button
                type="button"
                className={styles.remove}
                aria-label={`Remove ${file.name}`}
                onClick={() => removeFile(file.id)}
              >
                <X size={16} aria-hidden="true" />
              </button>
            </li>
          ))}
          {uploads.map((upload) => (
            <li key={upload.key} className={styles.file} data-failed={upload.error ? "" : undefined}>
              {upload.error ? (
                <button
                  type="button"
                  className={styles.remove}
                  aria-label={`Try ${upload.name} again`}
                  onClick={() => attachments.retry(upload)}
                >
                  <RotateCw size={16} aria-hidden="true" />
                </button>
              ) : (
                <Spinner />
              )}
              <span className={styles.fileWords}>
                <bdi className={styles.fileName}>{upload.name}</bdi>
                {upload.error ? (
                  <span role="alert">{upload.error}</span>
                ) : (
                  <progress max={1} value={upload.part} aria-label={`Uploading ${upload.name}`} />
                )}
              </span>
              {upload.error && (
                <button
                  type="button"
                  className={styles.remove}
                  aria-label={`Remove ${upload.name}`}
                  onClick={() => attachments.remove(upload.key)}
                >
                  <X size={16} aria-hidden="true" />
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      {notice && (
        <p role="alert" className={styles.notice}>
          {notice}
        </p>
      )}
    </>
  );
}
