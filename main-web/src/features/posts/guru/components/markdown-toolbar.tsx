import { ImagePlus } from "lucide-react";
import { useRef } from "react";
import { ImageInput } from "@/components/ui/image-input";
import { FORMAT_ACTIONS, type FormatAction } from "../lib/format-actions";
import styles from "./editor.module.css";

type MarkdownToolbarProps = { onFormat: (action: FormatAction) => void; onAddImages: (files: File[]) => void };

/** The buttons that format the text and add images. */
export function MarkdownToolbar({ onFormat, onAddImages }: MarkdownToolbarProps) {
  const file = useRef<HTMLInputElement>(null);
  return (
    <div className={styles.toolbar} role="toolbar" aria-label="Formatting">
      {FORMAT_ACTIONS.map((each) => (
        <button
          key={each.label}
          type="button"
          className={styles.tool}
          aria-label={each.label}
          title={each.key ? `${each.label} (Ctrl+${each.key.toUpperCase()})` : each.label}
          onClick={() => onFormat(each)}
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
      <ImageInput ref={file} label="Image file" onSelect={onAddImages} />
    </div>
  );
}
