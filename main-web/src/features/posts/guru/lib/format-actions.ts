import { Bold, Heading2, Italic, Link2, List, Quote, type LucideIcon } from "lucide-react";

export type FormatAction = {
  icon: LucideIcon;
  label: string;
  key?: string;
  before: string;
  after: string;
  sample: string;
  line?: boolean;
};

export const FORMAT_ACTIONS: FormatAction[] = [
  { icon: Bold, label: "Bold", key: "b", before: "**", after: "**", sample: "bold" },
  { icon: Italic, label: "Italic", key: "i", before: "*", after: "*", sample: "italic" },
  { icon: Heading2, label: "Heading", before: "## ", after: "", sample: "Heading", line: true },
  { icon: Link2, label: "Link", key: "k", before: "[", after: "](https://)", sample: "words" },
  { icon: List, label: "List", before: "- ", after: "", sample: "point", line: true },
  { icon: Quote, label: "Quote", before: "> ", after: "", sample: "words", line: true },
];

/** Return the Markdown that replaces the selection of a field, and the part of it to select then. */
export function formatSelection(area: HTMLTextAreaElement, { before, after, sample, line }: FormatAction) {
  const selected = area.value.slice(area.selectionStart, area.selectionEnd) || sample;
  const leadingBreak = line && area.selectionStart > 0 && area.value[area.selectionStart - 1] !== "\n" ? "\n\n" : "";
  const marked = line
    ? selected
        .split("\n")
        .map((each) => before + each)
        .join("\n")
    : before + selected + after;
  const text = leadingBreak + marked;
  const from = leadingBreak.length + (line ? 0 : before.length);
  return { text, from, to: line ? text.length : from + selected.length };
}
