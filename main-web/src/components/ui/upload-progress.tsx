import { useId } from "react";
import styles from "./upload-progress.module.css";

type UploadProgressProps = {
  name: string;
  /** The part sent so far, 0 to 1. */
  part: number;
};

/** The progress of an upload; the server still checks the file after 100%. */
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
