import { useRef, useState } from "react";
import { createIdempotencyKey } from "@/lib/create-idempotency-key";
import { isImageFile } from "@/lib/image-files";
import { uploadFile } from "../api/upload-file";
import { formatBytes, MAX_FILE_BYTES, MAX_FILES } from "./texts";
import type { MessageFile } from "./types";
import { ApiError } from "@porchlight/shared/client";

/** A file that is on its way, or that did not arrive. */
export type Upload = { key: string; name: string; part: number; error: string; source: File };

type Options = {
  files: MessageFile[];
  onAdd: (file: MessageFile) => void;
};

/** Upload the files of a message while it is being written, one after the other. */
export function useAttachments({ files, onAdd }: Options) {
  const [uploads, setUploads] = useState<Upload[]>([]);
  const [notice, setNotice] = useState("");
  const queue = useRef(Promise.resolve());

  const change = (key: string, next: Partial<Upload> | null) =>
    setUploads((all) => all.flatMap((one) => (one.key === key ? (next ? [{ ...one, ...next }] : []) : [one])));

  function start(upload: Upload) {
    queue.current = queue.current.then(async () => {
      try {
        onAdd(await uploadFile(upload.source, (part) => change(upload.key, { part })));
        change(upload.key, null);
      } catch (reason) {
        change(upload.key, { error: errorText(reason) });
      }
    });
  }

  function add(chosen: File[]) {
    const free = MAX_FILES - files.length - uploads.length;
    const tooLarge = chosen.filter((file) => !isImageFile(file) && file.size > MAX_FILE_BYTES);
    const accepted = chosen.filter((file) => !tooLarge.includes(file)).slice(0, Math.max(0, free));
    const added = accepted.map((source) => ({
      key: createIdempotencyKey(),
      name: source.name || "Picture",
      part: 0,
      error: "",
      source,
    }));
    setNotice(noticeOf(tooLarge, chosen.length - tooLarge.length > accepted.length));
    setUploads((all) => [...all, ...added]);
    for (const upload of added) start(upload);
  }

  return {
    uploads,
    /** What was wrong with the files that were chosen. */
    notice,
    isUploading: uploads.some(({ error }) => error === ""),
    add,
    retry(upload: Upload) {
      change(upload.key, { error: "", part: 0 });
      start(upload);
    },
    remove: (key: string) => change(key, null),
  };
}

function noticeOf(tooLarge: File[], isTooMany: boolean): string {
  const [first] = tooLarge;
  const size = first ? `${first.name} is larger than ${formatBytes(10_000_000)}, the most we can send. ` : "";
  return size + (isTooMany ? `A message can have ${MAX_FILES} files. We left out the rest.` : "");
}

function errorText(reason: unknown): string {
  if (reason instanceof ApiError) return Object.values(reason.fields)[0] ?? reason.message;
  return reason instanceof Error ? reason.message : "This file didn't arrive.";
}
