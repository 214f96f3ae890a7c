import { useId } from "react";
import styles from "./upload-progress.module.css";

type UploadProgressProps = {
  name: string;
  /** How much has been sent, 0 to 1. */
  part: number;
};

/** How far a file is on its way; once all of it is there, the server still looks at it. */
export function UploadProgress({ name, part }: UploadProgressProps) {
  const id = useId();
  const percent = Math.floor(part * 100);
  return (
    <div className={styles.progress}>
      <label htmlFor={id}>{percent < 100 ? `Uploading ${name}` : `Checking ${name}`}</label>
      <span aria-hidden="true">{percent}%</span>
      <progress id={id} max={100} value={percent} />
    </div>
  );
}
