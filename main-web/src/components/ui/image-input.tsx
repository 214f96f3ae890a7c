import type { Ref } from "react";
import { ACCEPTED_IMAGES } from "@/lib/image-files";

type ImageInputProps = {
  ref: Ref<HTMLInputElement>;
  label: string;
  single?: boolean;
  onSelect: (files: File[]) => void;
};

/** A hidden file input for images; a button opens it by clicking the element in `ref`. */
export function ImageInput({ ref, label, single: single = false, onSelect }: ImageInputProps) {
  return (
    <input
      ref={ref}
      type="file"
      multiple={!single}
      accept={ACCEPTED_IMAGES}
      className="visually-hidden"
      tabIndex={-1}
      aria-label={label}
      onChange={(event) => {
        const files = [...(event.target.files ?? [])];
        event.target.value = ""; // Allows choosing the same file again.
        if (files.length > 0) onSelect(files);
      }}
    />
  );
}
