import { PageHead } from "@/components/layout/page-head";
import { Skeleton } from "@/components/ui/skeleton";
import { ErrorState } from "@/components/ui/state";
import { PageHeader } from "@/components/ui/page-header";
import { Stack } from "@/components/ui/stack";
import { useSite } from "../api/get-site";
import { SiteForm } from "../components/site-form";

/** Edits the texts and the theme of the site, beside a preview. */
export function SitePage() {
  const site = useSite();
  return (
    <PageHead title="Edit your site" description="Edit the text and design of your site.">
      <PageHeader title="Your site" lead="Edit what visitors see. Changes go live when you save." />
      {site.isPending && (
        <Stack aria-busy="true">
          {[1, 2, 3].map((row) => (
            <Skeleton key={row} height="9rem" radius="md" />
          ))}
        </Stack>
      )}
      {site.isError && !site.data && (
        <ErrorState
          title="We couldn't load your site"
          message={site.error.message}
          onRetry={() => void site.refetch()}
          retrying={site.isFetching}
        />
      )}
      {site.data && <SiteForm site={site.data} reload={async () => (await site.refetch()).data ?? null} />}
    </PageHead>
  );
}
