import { Download, Paperclip } from "lucide-react";
import { useState, type CSSProperties } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { fileUrl } from "../lib/files";
import { formatBytes } from "../lib/texts";
import type { MessageFile } from "../lib/types";
import styles from "./message-files.module.css";

/** The longest side of a picture that stands alone, in rem. */
const PICTURE_SIDE = 18;

/** The space of a picture before it has loaded, so that nothing moves. */
function reservedSpace({ width, height }: MessageFile): CSSProperties {
  if (!width || !height) return {};
  const scale = PICTURE_SIDE / Math.max(width, height);
  return { width: `${width * scale}rem`, aspectRatio: `${width} / ${height}` };
}

/** The files of a message: pictures that open large, and others to download. */
export function MessageFiles({ files }: { files: MessageFile[] }) {
  const [shown, setShown] = useState<MessageFile | null>(null);
  const images = files.filter(({ isImage }) => isImage);
  const others = files.filter(({ isImage }) => !isImage);
  return (
    <>
      {images.length > 0 && (
        <div className={styles.images} data-count={images.length}>
          {images.map((file) => (
            <button key={file.id} type="button" className={styles.image} onClick={() => setShown(file)}>
              <img
                src={fileUrl(file, "thumb")}
                alt={`Open ${file.name}`}
                {...(images.length === 1 && { style: reservedSpace(file) })}
              />
            </button>
          ))}
        </div>
      )}
      {others.map((file) => (
        <a key={file.id} href={fileUrl(file)} download={file.name} className={styles.file}>
          <Paperclip size={18} aria-hidden="true" />
          <span className={styles.about}>
            <bdi className={styles.name}>{file.name}</bdi>
            <span className={styles.size}>{formatBytes(file.bytes)}</span>
          </span>
          <Download size={16} aria-hidden="true" />
        </a>
      ))}
      {shown && (
        <Dialog
          open
          onOpenChange={(open) => !open && setShown(null)}
          title={shown.name}
          width={1000}
          footer={
            <Button asChild variant="secondary" size="sm">
              <a href={fileUrl(shown)} download={shown.name}>
                <Download size={16} aria-hidden="true" />
                Download
              </a>
            </Button>
          }
        >
          <img
            src={fileUrl(shown)}
            alt=""
            className={styles.large}
            {...(shown.width > 0 && { width: shown.width, height: shown.height })}
          />
        </Dialog>
      )}
    </>
  );
}
