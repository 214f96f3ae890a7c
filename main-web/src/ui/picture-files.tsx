import type { Ref } from "react";
import { KINDS } from "../kit/pictures";

type PictureFilesProps = { ref: Ref<HTMLInputElement>; label: string; one?: boolean; onChosen: (files: File[]) => void };

/** The browser's dialog for choosing pictures; a button of ours opens it by clicking what `ref` holds. */
export function PictureFiles({ ref, label, one = false, onChosen }: PictureFilesProps) {
  return (
    <input
      ref={ref}
      type="file"
      multiple={!one}
      accept={KINDS.join(",")}
      className="visually-hidden"
      tabIndex={-1}
      aria-label={label}
      onChange={(event) => {
        const chosen = [...(event.target.files ?? [])];
        event.target.value = ""; // the same file may be chosen again
        if (chosen.length > 0) onChosen(chosen);
      }}
    />
  );
}
