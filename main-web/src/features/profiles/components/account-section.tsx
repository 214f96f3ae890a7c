import { Bell, Download, FileSignature, LogOut, Trash2 } from "lucide-react";
import { useState } from "react";
import { Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { api } from "@/lib/api-client";
import { saveFile } from "@/lib/save-file";
import { useSession, useSessionActions } from "@/lib/session/session-context";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { toast } from "@/lib/toast-store";
import { DeleteDialog } from "./delete-dialog";
import { Devices } from "./devices";
import { EmailForm } from "./email-form";
import { PasswordForm } from "./password-form";
import styles from "./profile.module.css";
import { authErrorText, AUTH_TEXTS, signOutErrorText } from "@porchlight/shared/auth-errors";

/** The account settings: email, password, devices, data export, deletion. */
export function AccountSection() {
  const session = useSession();
  const { signOutEverywhere } = useSessionActions();
  const [busy, setBusy] = useState<"export" | "leave" | null>(null);
  const [deleting, setDeleting] = useState(false);
  if (session.status !== "signed-in") return null;
  const { user } = session;

  async function run(action: "export" | "leave", request: () => Promise<void>, errorText: (reason: unknown) => string) {
    setBusy(action);
    try {
      await request();
    } catch (reason) {
      toast.error(errorText(reason));
    } finally {
      setBusy(null);
    }
  }

  const exportData = async () => saveFile(await api.FILE("/auth/export"), "porchlight-my-data.zip");
  const leaveAllDevices = async () => {
    await signOutEverywhere();
    toast.success(AUTH_TEXTS.signedOut);
  };

  return (
    <Card as="section" aria-labelledby="profile-account" className={styles.section}>
      <h2 id="profile-account" className={styles.heading}>
        Account
      </h2>
      <p className={styles.hint}>
        You sign in with <strong className={styles.mail}>{user.email}</strong>.
      </p>
      <EmailForm user={user} />
      {user.hasPassword !== false && <PasswordForm email={user.email} />}
      <Devices uid={user.uid} />
      <ul className={styles.acts}>
        <li>
          <div>
            <h3>Sign out everywhere</h3>
            <p className={styles.hint}>Signs you out on every device, including this one.</p>
          </div>
          <Button
            variant="secondary"
            size="sm"
            loading={busy === "leave"}
            onClick={() => void run("leave", leaveAllDevices, signOutErrorText)}
          >
            {busy !== "leave" && <LogOut size={16} aria-hidden="true" />}
            Sign out everywhere
          </Button>
        </li>
        <li>
          <div>
            <h3>Notifications</h3>
            <p className={styles.hint}>Choose what reaches you by email and on your devices, and when it's quiet.</p>
          </div>
          <Button asChild variant="secondary" size="sm">
            <Link to={paths.notificationSettings}>
              <Bell size={16} aria-hidden="true" />
              Choose what reaches me
            </Link>
          </Button>
        </li>
        <li>
          <div>
            <h3>Waivers</h3>
            <p className={styles.hint}>See the waivers you've accepted and download your receipts.</p>
          </div>
          <Button asChild variant="secondary" size="sm">
            <Link to={paths.waivers}>
              <FileSignature size={16} aria-hidden="true" />
              See my waivers
            </Link>
          </Button>
        </li>
        <li>
          <div>
            <h3>Export my data</h3>
            <p className={styles.hint}>Download a ZIP file of all the data we have about you.</p>
          </div>
          <Button
            variant="secondary"
            size="sm"
            loading={busy === "export"}
            onClick={() => void run("export", exportData, authErrorText)}
          >
            {busy !== "export" && <Download size={16} aria-hidden="true" />}
            Export my data
          </Button>
        </li>
        <li>
          <div>
            <h3>Delete my account</h3>
            <p className={styles.hint}>This is permanent and can't be undone.</p>
          </div>
          <Button variant="danger" size="sm" onClick={() => setDeleting(true)}>
            <Trash2 size={16} aria-hidden="true" />
            Delete my account
          </Button>
        </li>
      </ul>
      {deleting && <DeleteDialog user={user} onClose={() => setDeleting(false)} />}
    </Card>
  );
}
