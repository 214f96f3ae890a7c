import { Page } from "../../ui/page";
import { Skeleton } from "../../ui/skeleton";
import { ErrorState } from "../../ui/state";
import styles from "./console.module.css";
import { useSite } from "./site-calls";
import { SiteForm } from "./site-form";

/** Texts and look of one's site, beside a preview of it. */
export function SitePage() {
  const site = useSite();
  return (
    <Page title="Edit your site" description="The texts and the look of your site.">
      <header>
        <h1 className={styles.title}>Your site</h1>
        <p className={styles.lead}>What visitors read and see. Nothing changes for them until you save.</p>
      </header>
      {site.isPending && (
        <div className={styles.section} aria-busy="true">
          {[1, 2, 3].map((row) => (
            <Skeleton key={row} height="9rem" radius="md" />
          ))}
        </div>
      )}
      {site.isError && !site.data && (
        <ErrorState
          title="Your site is out of reach"
          message={site.error.message}
          onRetry={() => void site.refetch()}
          retrying={site.isFetching}
        />
      )}
      {site.data && <SiteForm site={site.data} reload={async () => (await site.refetch()).data ?? null} />}
    </Page>
  );
}
