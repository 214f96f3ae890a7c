import {
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  type ClipboardEvent,
  type DragEvent,
  type KeyboardEvent,
} from "react";
import { hasImageType } from "@/lib/image-files";
import { toast } from "@/lib/toast-store";
import { Field, TextArea } from "@/components/ui/field";
import { Omissions } from "@/features/console/contract";
import { FORMAT_ACTIONS, formatSelection, type FormatAction } from "../lib/format-actions";
import { formattedHtml, toMarkdown } from "../lib/formatted-paste";
import { ImageDialog } from "./image-dialog";
import { MarkdownToolbar } from "./markdown-toolbar";
import styles from "./editor.module.css";

const MAX_LENGTH = 40_000;

type MarkdownFieldProps = {
  value: string;
  error: string | undefined;
  /** What readers will not see as typed, in sentences. */
  omissions: string[];
  onChange: (text: string) => void;
};

/** A Markdown editor with a toolbar; formatted text by paste, images by button, paste or drop. */
export function MarkdownField({ value, error, omissions, onChange }: MarkdownFieldProps) {
  const box = useRef<HTMLTextAreaElement>(null);
  const nextKey = useRef(0);
  const uploaded = useRef("");
  const [queue, setQueue] = useState<{ key: number; file: File }[]>([]);
  const [first] = queue;

  /** Replace the selection through the browser's editing command, so that Undo works. */
  function insert(text: string, selectFrom: number, selectTo: number) {
    const area = box.current;
    if (!area) return;
    const start = area.selectionStart;
    area.focus();
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- nothing else keeps the browser's undo
    if (!document.execCommand("insertText", false, text)) {
      const end = area.selectionEnd;
      area.setRangeText(text, start, end, "end");
      onChange(area.value);
    }
    area.setSelectionRange(start + selectFrom, start + selectTo);
  }

  function mark(action: FormatAction) {
    if (!box.current) return;
    const { text, from, to } = formatSelection(box.current, action);
    insert(text, from, to);
  }

  function handleKeyDown(event: KeyboardEvent<HTMLTextAreaElement>) {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    const action = FORMAT_ACTIONS.find((each) => each.key === event.key.toLowerCase());
    if (!action) return;
    event.preventDefault();
    mark(action);
  }

  function addPictures(files: File[]) {
    const added = files.map((file) => ({ key: nextKey.current++, file }));
    setQueue((current) => [...current, ...added]);
  }

  const removeFirst = () => setQueue((current) => current.slice(1));

  function keepPicture(path: string, alt: string) {
    uploaded.current += `![${alt.replace(/[[\]\\_*`]+/g, " ")}](${path})\n`;
    removeFirst();
  }

  // The dialog keeps the focus while it is open, so the pictures are inserted once the last one is closed.
  const insertPictures = useEffectEvent(() => {
    const text = uploaded.current;
    uploaded.current = "";
    if (text !== "") insert(text, text.length, text.length);
  });
  const isAdding = queue.length > 0;
  useEffect(() => {
    if (!isAdding) insertPictures();
  }, [isAdding]);

  function handleFiles(event: ClipboardEvent | DragEvent, transfer: DataTransfer) {
    const images = [...transfer.files].filter(hasImageType);
    if (images.length === 0) return;
    event.preventDefault();
    addPictures(images);
  }

  function handlePaste(event: ClipboardEvent) {
    const plainText = event.clipboardData.getData("text/plain");
    const html = formattedHtml(event.clipboardData);
    // Office programs add a picture of the copied text.
    if (!plainText.trim()) handleFiles(event, event.clipboardData);
    else if (html !== null) {
      event.preventDefault();
      void toMarkdown(html, plainText).then(({ text, note }) => {
        insert(text, text.length, text.length);
        if (note) toast.info(note);
      });
    }
  }

  const excess = value.length - MAX_LENGTH;
  const lengthError =
    excess > 0
      ? `This text is ${excess.toLocaleString("en-US")} characters too long. A post can have ${MAX_LENGTH.toLocaleString("en-US")}.`
      : undefined;

  return (
    <div className={styles.markdown}>
      <MarkdownToolbar onFormat={mark} onAddImages={addPictures} />
      <Field
        label="Content"
        hint="Supports Markdown. Paste from Docs or Word, or drop images here. The first image is the cover."
        error={lengthError ?? error}
      >
        <TextArea
          ref={box}
          rows={18}
          className={styles.content}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          onKeyDown={handleKeyDown}
          onPaste={handlePaste}
          onDrop={(event) => handleFiles(event, event.dataTransfer)}
        />
      </Field>
      <Omissions sentences={omissions} />
      {first && (
        <ImageDialog
          key={first.key}
          file={first.file}
          waiting={queue.length - 1}
          onUploaded={keepPicture}
          onSkip={removeFirst}
        />
      )}
    </div>
  );
}
