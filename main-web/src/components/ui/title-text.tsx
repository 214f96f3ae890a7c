import type { ReactNode } from "react";
import { wholeWords } from "@porchlight/shared/format/whole-words";

/** The text of a title, which no line breaks inside a word such as "One-on-One". Other content stays as it is. */
export function TitleText({ children }: { children: ReactNode }) {
  const parts = typeof children === "string" ? wholeWords(children) : [];
  if (parts.length <= 1) return children;
  return parts.map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <span key={index} className="whole-word">
        {part}
      </span>
    ),
  );
}
