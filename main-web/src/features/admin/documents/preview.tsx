import { useState } from "react";
import { safeHref } from "../../../kit/safe-href";
import styles from "./documents-tab.module.css";
import type { StaffPaper } from "./get-pending";

/** The document beside its data. The address stays the one it was opened with: each opening is written down once. */
export function Preview({ paper }: { paper: StaffPaper }) {
  const [address] = useState(() => safeHref(paper.file_url));
  const [broken, setBroken] = useState(false);
  if (broken) return <p className={styles.broken}>The document cannot be shown here. Open it by View Document.</p>;
  return (
    <div className={styles.preview}>
      {paper.file_kind === "application/pdf" ? (
        <iframe src={`${address}#navpanes=0&view=FitH`} title={`Document: ${paper.file_name}`} referrerPolicy="no-referrer" />
      ) : (
        <img src={address} alt={`Document: ${paper.file_name}`} onError={() => setBroken(true)} />
      )}
    </div>
  );
}
