import { Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { useConfig } from "@/lib/get-config";
import { Notice } from "@/components/ui/notice";
import styles from "./suspended-notice.module.css";
import { mailtoUrl } from "@porchlight/shared/email-address";

/** Tells a guru why staff suspended the site, as far as a reason was given, and whom to write to. */
export function SuspendedNotice({ reason }: { reason: string }) {
  const email = useConfig().data?.operator.email;
  return (
    <Notice tone="danger">
      Our team has suspended your site, so visitors can't see it.
      {reason && <span className={styles.reason}>Reason: {reason}</span>} When you've fixed this, or if you think it's a
      mistake,{" "}
      {email && (
        <>
          write to <a href={mailtoUrl(email)}>{email}</a> or{" "}
        </>
      )}
      <Link to={paths.contact}>contact us</Link>. You can keep editing in the meantime.
    </Notice>
  );
}
