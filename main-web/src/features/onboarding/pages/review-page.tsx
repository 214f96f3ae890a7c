import { paths } from "@/config/paths";
import { LoadingBlock } from "@/components/ui/skeleton";
import { LoadNotice } from "@/components/ui/load-notice";
import { ErrorState } from "@/components/ui/state";
import { useRequirements } from "@/features/documents/contract";
import { useStatus } from "../api/get-status";
import { CategoriesSummary } from "../components/categories-summary";
import { DocumentsSummary } from "../components/documents-summary";
import { ProfileSummary } from "../components/profile-summary";
import { PublishCard } from "../components/publish-card";
import { ServicesCard } from "../components/services-card";
import { SiteCard } from "../components/site-card";
import { SkillsCard } from "../components/skills-card";
import { StatusCheck } from "../components/status-check";
import { Wizard } from "../components/wizard";
import type { RequiredDocument } from "../lib/types";

/** The last step: a summary and the publish button (SPEC 2.14). */
export function ReviewPage() {
  const status = useStatus();
  const requirements = useRequirements();
  return (
    <Wizard
      at={paths.onboardingReview}
      showsStatusError
      title="Review & Publish"
      lead="Take one last look. You can change everything later."
      description="The last step of becoming a guru: review everything and publish your site."
    >
      {status.isPending && <LoadingBlock height="24rem" />}
      {status.isError && !status.data && (
        <ErrorState
          title="We couldn't load your review"
          message="Failed to load onboarding status. Please try again later."
          onRetry={() => void Promise.all([status.refetch(), requirements.refetch()])}
          retrying={status.isFetching}
        />
      )}
      {status.data && (
        <>
          <StatusCheck status={status.data} />
          <ProfileSummary profile={status.data.profile} />
          <LoadNotice what="the documents you need" queries={[requirements]} />
          <CategoriesSummary
            needed={requirements.data?.needed}
            picks={Object.keys(status.data.picks)}
            site={status.data.site}
          />
          <DocumentsSummary docs={Object.values(status.data.docs)} names={requirements.data?.needed ?? []} />
          {!status.data.site && <SkillsCard skills={status.data.skills} />}
          {!status.data.site && (
            <ServicesCard services={status.data.services} listed={isListed(requirements.data?.needed)} />
          )}
          <PublishCard status={status.data} key={status.data.site?.subdomain} />
          {status.data.site && <SiteCard site={status.data.site} />}
        </>
      )}
    </Wizard>
  );
}

/** Whether visitors will see the services: they need one approved category. */
const isListed = (needed: readonly RequiredDocument[] = []) =>
  needed.length === 0 || needed.some(({ approved }) => approved);
