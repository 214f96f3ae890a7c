import { ImagePlus } from "lucide-react";
import { useRef } from "react";
import { usePhotoSending } from "../../kit/use-photo-sending";
import { Button } from "../../ui/button";
import { Notice } from "../../ui/notice";
import { PictureFiles } from "../../ui/picture-files";
import { UploadProgress } from "../../ui/upload-progress";
import styles from "./angels.module.css";
import { useAddPhoto } from "./change-need";
import type { Need } from "./get-needs";

/** Photos for one's need that is posted already, or once more for those that did not arrive. */
export function MorePhotos({ need }: { need: Need }) {
  const add = useAddPhoto();
  const file = useRef<HTMLInputElement>(null);
  const { room, sending, refusals, send } = usePhotoSending("need", need.photos.length, (photo, report) =>
    add.mutateAsync({ id: need.id, photo, report }),
  );

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
          <PictureFiles ref={file} label="Photo files" onChosen={(chosen) => void send(chosen)} />
        </div>
      )}
    </div>
  );
}
