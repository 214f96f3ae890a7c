import { Unlink } from "lucide-react";
import { Link, useParams } from "react-router-dom";
import { paths } from "@/config/paths";
import { PageHead } from "@/components/layout/page-head";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { LoadingBlock } from "@/components/ui/skeleton";
import { EmptyState, ErrorState } from "@/components/ui/state";
import { useEmailSettings } from "../api/get-email-settings";
import { SettingRow } from "../components/setting-row";
import styles from "./email-settings-page.module.css";
import { ApiError } from "@porchlight/shared/client";

/**
 * Which emails a person gets, with the link of an email, without signing in. Signed in, they have notification settings.
 * Opening it changes nothing, because mail scanners open links too.
 */
export function EmailSettingsPage() {
  const { token = "" } = useParams();
  const settings = useEmailSettings(token);
  const isUnknown = settings.error instanceof ApiError && settings.error.status === 404;
  return (
    <PageHead title="Your emails" description="Choose which emails you get from Porchlight.">
      <div className={`container ${styles.page}`} aria-busy={settings.isPending}>
        <header>
          <h1 className={styles.title}>{isUnknown ? "Link not found" : "Your emails"}</h1>
          {settings.data && <p className={styles.lead}>Choose which emails you get. Changes are saved right away.</p>}
        </header>
        {settings.isPending && <LoadingBlock height="24rem" />}
        {isUnknown && (
          <EmptyState
            icon={Unlink}
            title="We don't know this link"
            action={
              <Button asChild variant="secondary">
                <Link to={paths.notificationSettings}>Sign in to see your emails</Link>
              </Button>
            }
          >
            Please copy the whole link from the email. A link stops working when its account is deleted.
          </EmptyState>
        )}
        {settings.isError && !settings.data && !isUnknown && (
          <ErrorState
            title="We couldn't load your settings"
            message={settings.error.message}
            onRetry={() => void settings.refetch()}
            retrying={settings.isFetching}
          />
        )}
        {settings.data && !isUnknown && (
          <>
            <Card>
              <ul className={styles.list}>
                {settings.data.settings.map((setting) => (
                  <SettingRow key={`${token} ${setting.kind}`} token={token} setting={setting} />
                ))}
              </ul>
            </Card>
            {settings.data.complete ? (
              <p className={styles.note}>
                We always email you about what you book, offer and ask for, and about your account.
              </p>
            ) : (
              <p className={styles.note}>
                This link is for one kind of email.{" "}
                <Link to={paths.notificationSettings}>Sign in to see all of them</Link>.
              </p>
            )}
          </>
        )}
      </div>
    </PageHead>
  );
}
