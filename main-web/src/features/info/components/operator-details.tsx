import type { OperatorContact } from "@/lib/get-config";
import styles from "./operator-details.module.css";
import { mailtoUrl } from "@porchlight/shared/email-address";

/** Who runs this installation, and how to reach them: as far as the operator's settings say. */
export function OperatorDetails({ operator: { name, address, phone, email } }: { operator: OperatorContact }) {
  return (
    <address className={styles.details}>
      {name && <strong>{name}</strong>}
      {address && <span>{address}</span>}
      {phone && (
        <a className="tap-link" href={`tel:${phone.replace(/[^+\d]/g, "")}`}>
          {phone}
        </a>
      )}
      <a className="tap-link" href={mailtoUrl(email)}>
        {email}
      </a>
    </address>
  );
}
