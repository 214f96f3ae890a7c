import { ImagePlus } from "lucide-react";
import { useRef, useState } from "react";
import { isPicture, KINDS, MOST_PHOTOS, NOT_A_PICTURE, whyNot } from "../../kit/pictures";
import { Button } from "../../ui/button";
import { Notice } from "../../ui/notice";
import { UploadProgress } from "../../ui/upload-progress";
import styles from "./angels.module.css";
import { useAddPhoto } from "./change-need";
import type { Need } from "./get-needs";

/** Photos for one's need that is posted already, or once more for those that did not arrive. */
export function MorePhotos({ need }: { need: Need }) {
  const add = useAddPhoto();
  const file = useRef<HTMLInputElement>(null);
  const [sending, setSending] = useState<{ name: string; part: number } | null>(null);
  const [refusals, setRefusals] = useState<string[]>([]);
  const room = MOST_PHOTOS - need.photos.length;

  async function send(chosen: File[]) {
    const told: string[] = [];
    for (const photo of chosen.slice(0, room)) {
      if (!isPicture(photo)) {
        told.push(`${photo.name}: ${NOT_A_PICTURE}`);
        continue;
      }
      const report = (part: number) => setSending({ name: photo.name, part });
      report(0);
      await add
        .mutateAsync({ id: need.id, photo, report })
        .catch((reason: unknown) => told.push(`${photo.name}: ${whyNot(reason)}`));
    }
    if (chosen.length > room) told.push(`A need has ${MOST_PHOTOS} photos at most; the others were left out.`);
    setSending(null);
    setRefusals(told);
  }

  if (room <= 0 && refusals.length === 0) return null;
  return (
    <div className={styles.fieldset}>
      {sending && <UploadProgress name={sending.name} part={sending.part} />}
      {refusals.map((words) => (
        <Notice key={words} tone="danger">
          {words}
        </Notice>
      ))}
      {room > 0 && (
        <div>
          <Button variant="secondary" size="sm" loading={sending !== null} onClick={() => file.current?.click()}>
            <ImagePlus size={16} aria-hidden="true" />
            {need.photos.length === 0 ? "Add photos" : "Add more photos"}
          </Button>
          <input
            ref={file}
            type="file"
            multiple
            accept={KINDS.join(",")}
            className="visually-hidden"
            tabIndex={-1}
            aria-label="Photo files"
            onChange={(event) => {
              const chosen = [...(event.target.files ?? [])];
              event.target.value = ""; // the same file may be chosen again
              if (chosen.length > 0) void send(chosen);
            }}
          />
        </div>
      )}
    </div>
  );
}
