import { ImageOff } from "lucide-react";
import { useEffect, useState } from "react";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { ButtonRow } from "@/components/ui/stack";
import { UploadProgress } from "@/components/ui/upload-progress";
import type { Upload } from "../lib/use-uploads";
import styles from "./gallery.module.css";

type UploadTileProps = { upload: Upload; onRetry: () => void; onDismiss: () => void };

/** A file that waits, is being sent, or failed. */
export function UploadTile({ upload, onRetry, onDismiss }: UploadTileProps) {
  const { file, part, problem, canRetry } = upload;
  return (
    <li className={styles.tile} aria-label={file.name}>
      <LocalPicture file={file} />
      {problem === "" && part === null && <p className={styles.file}>{file.name} waits for its turn</p>}
      {problem === "" && part !== null && <UploadProgress name={file.name} part={part} />}
      {problem !== "" && (
        <>
          <Notice tone="danger">
            <span className={styles.file}>{file.name}</span>: {problem}
          </Notice>
          <ButtonRow>
            {canRetry && (
              <Button size="sm" variant="secondary" onClick={onRetry}>
                Try again<span className="visually-hidden">: {file.name}</span>
              </Button>
            )}
            <Button size="sm" variant="ghost" onClick={onDismiss}>
              Leave out<span className="visually-hidden"> {file.name}</span>
            </Button>
          </ButtonRow>
        </>
      )}
    </li>
  );
}

/** A file of this device, as far as the browser can show it. */
function LocalPicture({ file }: { file: File }) {
  const [address, setAddress] = useState("");
  useEffect(() => {
    const url = URL.createObjectURL(file);
    // eslint-disable-next-line react-hooks/set-state-in-effect -- an object URL is a resource with an end
    setAddress(url);
    return () => URL.revokeObjectURL(url);
  }, [file]);
  return (
    <span className={styles.local}>
      {address === "" ? (
        <ImageOff size={22} aria-hidden="true" />
      ) : (
        <img src={address} alt="" onError={() => setAddress("")} />
      )}
    </span>
  );
}
