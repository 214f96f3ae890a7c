import { useState } from "react";
import { safeHref } from "@/lib/safe-href";
import styles from "./documents-tab.module.css";
import type { AdminDocument } from "../api/get-pending-documents";

/** A preview of the document. The URL stays the first one: each opening is recorded once. */
export function DocumentPreview({ adminDocument }: { adminDocument: AdminDocument }) {
  const [address] = useState(() => safeHref(adminDocument.file_url));
  const [broken, setBroken] = useState(false);
  if (broken) return <p className={styles.broken}>We can't preview this document. Use View Document to open it.</p>;
  return (
    <div className={styles.preview}>
      {adminDocument.file_kind === "application/pdf" ? (
        <iframe
          src={`${address}#navpanes=0&view=FitH`}
          title={`Document: ${adminDocument.file_name}`}
          referrerPolicy="no-referrer"
        />
      ) : (
        <img src={address} alt={`Document: ${adminDocument.file_name}`} onError={() => setBroken(true)} />
      )}
    </div>
  );
}
