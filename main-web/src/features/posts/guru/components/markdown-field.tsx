import { Bold, Heading2, ImagePlus, Italic, Link2, List, Quote, type LucideIcon } from "lucide-react";
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
import { ImageInput } from "@/components/ui/image-input";
import { Omissions } from "@/features/console/contract";
import { formattedHtml, toMarkdown } from "../lib/formatted-paste";
import { ImageDialog } from "./image-dialog";
import styles from "./editor.module.css";

type FormatAction = {
  icon: LucideIcon;
  label: string;
  key?: string;
  before: string;
  after: string;
  sample: string;
  line?: boolean;
};

const FORMAT_ACTIONS: FormatAction[] = [
  { icon: Bold, label: "Bold", key: "b", before: "**", after: "**", sample: "bold" },
  { icon: Italic, label: "Italic", key: "i", before: "*", after: "*", sample: "italic" },
  { icon: Heading2, label: "Heading", before: "## ", after: "", sample: "Heading", line: true },
  { icon: Link2, label: "Link", key: "k", before: "[", after: "](https://)", sample: "words" },
  { icon: List, label: "List", before: "- ", after: "", sample: "point", line: true },
  { icon: Quote, label: "Quote", before: "> ", after: "", sample: "words", line: true },
];

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
  const file = useRef<HTMLInputElement>(null);
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

  function mark({ before, after, sample, line }: FormatAction) {
    const area = box.current;
    if (!area) return;
    const selected = area.value.slice(area.selectionStart, area.selectionEnd) || sample;
    const leadingBreak = line && area.selectionStart > 0 && area.value[area.selectionStart - 1] !== "\n" ? "\n\n" : "";
    const text = line
      ? selected
          .split("\n")
          .map((each) => before + each)
          .join("\n")
      : before + selected + after;
    const from = leadingBreak.length + (line ? 0 : before.length);
    insert(leadingBreak + text, from, line ? leadingBreak.length + text.length : from + selected.length);
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
      <div className={styles.toolbar} role="toolbar" aria-label="Formatting">
        {FORMAT_ACTIONS.map((each) => (
          <button
            key={each.label}
            type="button"
            className={styles.tool}
            aria-label={each.label}
            title={each.key ? `${each.label} (Ctrl+${each.key.toUpperCase()})` : each.label}
            onClick={() => mark(each)}
          >
            <each.icon size={17} aria-hidden="true" />
          </button>
        ))}
        <button
          type="button"
          className={styles.tool}
          aria-label="Add an image"
          title="Add an image"
          onClick={() => file.current?.click()}
        >
          <ImagePlus size={17} aria-hidden="true" />
        </button>
        <ImageInput ref={file} label="Image file" onSelect={addPictures} />
      </div>
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
