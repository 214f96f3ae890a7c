import { useEffect, useRef, useState } from "react";
import { uploadImage, type SiteImage } from "@/features/images/contract";
import { errorMessage } from "@/lib/errors";
import { INVALID_IMAGE_MESSAGE, isImageFile } from "@/lib/image-files";
import { isAnimated, STILL_MESSAGE } from "@/lib/prepare-photo";
import { toast } from "@/lib/toast-store";
import { spotKey, type Spot } from "./pictures";
import { ApiError, fieldErrors } from "@porchlight/shared/client";

/** A file that is on its way to a spot of the site, or failed. */
export type Upload = {
  key: string;
  file: File;
  spot: Spot;
  /** The part sent so far, 0 to 1; null before its turn. */
  part: number | null;
  /** Why it failed; "" otherwise. */
  problem: string;
  canRetry: boolean;
};

type Options = {
  /** Return how many more pictures fit at a spot, apart from those under way. */
  roomAt: (spot: Spot) => number;
  limitText: (spot: Spot) => string;
  onUploaded: (image: SiteImage, spot: Spot) => void;
};

/** Upload files one after the other. Each one fails by itself, and stays until it is sent again or dismissed. */
export function useUploads(options: Options) {
  const [uploads, setUploads] = useState<Upload[]>([]);
  const turn = useRef(Promise.resolve());
  const isGone = useRef(false);
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });
  useEffect(() => {
    isGone.current = false;
    return () => void (isGone.current = true);
  }, []);

  const change = (key: string, changes: Partial<Upload>) =>
    setUploads((now) => now.map((upload) => (upload.key === key ? { ...upload, ...changes } : upload)));
  const dismiss = (key: string) => setUploads((now) => now.filter((upload) => upload.key !== key));
  const isUnderWay = (upload: Upload) => upload.problem === "";

  async function send({ key, file, spot }: Upload) {
    if (isGone.current) return;
    change(key, { part: 0 });
    try {
      if (await isAnimated(file)) toast.info(STILL_MESSAGE);
      const image = await uploadImage(file, (part) => change(key, { part }));
      dismiss(key);
      latest.current.onUploaded(image, spot);
    } catch (reason) {
      const problem = fieldErrors(reason).image ?? errorMessage(reason);
      change(key, { part: null, problem, canRetry: canBeRepeated(reason) });
    }
  }

  function enqueue(added: readonly Upload[]) {
    for (const upload of added) turn.current = turn.current.then(() => send(upload));
  }

  /** Return the problem of a file that isn't sent at all. `ahead`: how many go to the same spot before it. */
  function refusalOf(file: File, spot: Spot, ahead: number): Pick<Upload, "problem" | "canRetry"> {
    if (!isImageFile(file)) return { problem: INVALID_IMAGE_MESSAGE, canRetry: false };
    if (ahead >= options.roomAt(spot)) return { problem: options.limitText(spot), canRetry: true };
    return { problem: "", canRetry: false };
  }

  const aheadAt = (spot: Spot) =>
    uploads.filter((one) => isUnderWay(one) && spotKey(one.spot) === spotKey(spot)).length;

  return {
    uploads,
    isUploading: uploads.some(isUnderWay),
    add: (files: readonly File[], spot: Spot) => {
      let ahead = aheadAt(spot);
      const added = files.map((file) => {
        const refusal = refusalOf(file, spot, ahead);
        if (refusal.problem === "") ahead += 1;
        return { key: crypto.randomUUID(), file, spot, part: null, ...refusal };
      });
      setUploads((now) => [...now, ...added]);
      enqueue(added.filter(isUnderWay));
    },
    retry: (upload: Upload) => {
      const again = { ...upload, ...refusalOf(upload.file, upload.spot, aheadAt(upload.spot)) };
      change(upload.key, again);
      enqueue([again].filter(isUnderWay));
    },
    dismiss,
  };
}

/** Tell whether the same file may be accepted later: the server was not reached, failed, was too busy or is full. */
function canBeRepeated(reason: unknown): boolean {
  return reason instanceof ApiError && ([0, 409, 429].includes(reason.status) || reason.status >= 500);
}
