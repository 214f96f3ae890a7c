import { Bold, Heading2, ImagePlus, Italic, Link2, List, Quote, type LucideIcon } from "lucide-react";
import { useRef, useState, type ClipboardEvent, type DragEvent, type KeyboardEvent } from "react";
import { KINDS } from "../../kit/pictures";
import { Field, TextArea } from "../../ui/field";
import { PictureFiles } from "../../ui/picture-files";
import { Spinner } from "../../ui/spinner";
import { toast } from "../../ui/toast-store";
import styles from "./editor.module.css";
import { postImage } from "./post-image";
import { why } from "./words";

type Mark = { icon: LucideIcon; label: string; key?: string; before: string; after: string; sample: string; line?: boolean };

const MARKS: Mark[] = [
  { icon: Bold, label: "Bold", key: "b", before: "**", after: "**", sample: "bold" },
  { icon: Italic, label: "Italic", key: "i", before: "*", after: "*", sample: "italic" },
  { icon: Heading2, label: "Heading", before: "## ", after: "", sample: "Heading", line: true },
  { icon: Link2, label: "Link", key: "k", before: "[", after: "](https://)", sample: "words" },
  { icon: List, label: "List", before: "- ", after: "", sample: "point", line: true },
  { icon: Quote, label: "Quote", before: "> ", after: "", sample: "words", line: true },
];

type MarkdownFieldProps = { value: string; error: string | undefined; onChange: (text: string) => void };

/** Markdown with a few buttons for those who do not know it by heart; pictures by button, paste or drop. */
export function MarkdownField({ value, error, onChange }: MarkdownFieldProps) {
  const box = useRef<HTMLTextAreaElement>(null);
  const file = useRef<HTMLInputElement>(null);
  const [uploading, setUploading] = useState(0);

  /** Puts a text in the place of the selection, through the browser's own editing, so that Undo takes it back. */
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

  function mark({ before, after, sample, line }: Mark) {
    const area = box.current;
    if (!area) return;
    const chosen = area.value.slice(area.selectionStart, area.selectionEnd) || sample;
    const fresh = line && area.selectionStart > 0 && area.value[area.selectionStart - 1] !== "\n" ? "\n\n" : "";
    const text = line ? chosen.split("\n").map((each) => before + each).join("\n") : before + chosen + after;
    const from = fresh.length + (line ? 0 : before.length);
    insert(fresh + text, from, line ? fresh.length + text.length : from + chosen.length);
  }

  function press(event: KeyboardEvent<HTMLTextAreaElement>) {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    const found = MARKS.find((each) => each.key === event.key.toLowerCase());
    if (!found) return;
    event.preventDefault();
    mark(found);
  }

  async function upload(files: File[]) {
    for (const each of files) {
      setUploading((now) => now + 1);
      try {
        const picture = await postImage(each);
        const alt = each.name.replace(/\.[a-z]+$/i, "").replace(/[[\]\\_*`]+/g, " ").trim() || "Picture";
        insert(`![${alt}](${picture.path})\n`, 2, 2 + alt.length);
      } catch (reason) {
        toast.error(why(reason));
      } finally {
        setUploading((now) => now - 1);
      }
    }
  }

  function receive(event: ClipboardEvent | DragEvent, given: DataTransfer | null) {
    const pictures = [...(given?.files ?? [])].filter((each) => KINDS.includes(each.type));
    if (pictures.length === 0) return;
    event.preventDefault();
    void upload(pictures);
  }

  return (
    <div className={styles.markdown}>
      <div className={styles.toolbar} role="toolbar" aria-label="Formatting">
        {MARKS.map((each) => (
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
        <button type="button" className={styles.tool} aria-label="Add a picture" title="Add a picture" onClick={() => file.current?.click()}>
          {uploading > 0 ? <Spinner /> : <ImagePlus size={17} aria-hidden="true" />}
        </button>
        <PictureFiles ref={file} label="Picture file" onChosen={(chosen) => void upload(chosen)} />
      </div>
      <Field label="Content" hint="Markdown. Drop or paste pictures right in." error={error}>
        <TextArea
          ref={box}
          rows={18}
          maxLength={40_000}
          className={styles.content}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          onKeyDown={press}
          onPaste={(event) => receive(event, event.clipboardData)}
          onDrop={(event) => receive(event, event.dataTransfer)}
        />
      </Field>
    </div>
  );
}
