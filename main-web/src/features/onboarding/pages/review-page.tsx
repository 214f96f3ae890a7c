import { Circle, CircleCheck } from "lucide-react";
import { Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { useFlag } from "@/lib/feature-flags";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { LoadingBlock } from "@/components/ui/skeleton";
import { LoadNotice } from "@/components/ui/load-notice";
import { ErrorState } from "@/components/ui/state";
import { useRequirements } from "@/features/documents/contract";
import { DOCUMENT_TYPE_LABELS, UPLOADED_DOCUMENT_STATUS } from "../lib/document-labels";
import { useStatus } from "../api/get-status";
import { useListedLimit } from "../lib/listed-limit";
import { isUploadedPhoto } from "../lib/profile-schema";
import type { RequiredDocument, Status } from "../lib/types";
import { PublishCard } from "../components/publish-card";
import { ServicesCard } from "../components/services-card";
import { SiteCard } from "../components/site-card";
import { SkillsCard } from "../components/skills-card";
import { STEPS, Wizard } from "../components/wizard";
import styles from "../components/wizard.module.css";

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
          <Check status={status.data} />
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

function Check({ status }: { status: Status }) {
  return (
    <Card as="section" aria-labelledby="review-check" className={styles.stack}>
      <h2 id="review-check" className={styles.heading}>
        Status check
      </h2>
      <ul className={styles.items}>
        {STEPS.map(({ name, path, done }) => (
          <li key={name} className={styles.item}>
            <span className={styles.badges}>
              {done(status) ? (
                <CircleCheck size={22} className={styles.tick} role="img" aria-label="Done" />
              ) : (
                <Circle size={22} className={styles.circle} role="img" aria-label="To do" />
              )}
              {name}
            </span>
            {!done(status) && (
              <Link className="tap-link" to={path}>
                Complete {name}
              </Link>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Heading({ id, to, children }: { id: string; to: string; children: string }) {
  return (
    <div className={styles.head}>
      <h2 id={id} className={styles.heading}>
        {children}
      </h2>
      <Button asChild variant="ghost" size="sm">
        <Link to={to}>
          Edit <span className="visually-hidden">{children}</span>
        </Link>
      </Button>
    </div>
  );
}

function ProfileSummary({ profile }: { profile: Status["profile"] }) {
  const facts = [
    ["Display Name", profile.displayName],
    ["City", profile.city],
    ["ZIP Code", profile.zip],
    ["Bio", profile.bio],
    ["Photo", isUploadedPhoto(profile.photoUrl) ? "Uploaded" : profile.photoUrl],
  ].filter(([, value]) => value !== "");
  return (
    <Card as="section" aria-labelledby="review-profile" className={styles.stack}>
      <Heading id="review-profile" to={paths.onboardingProfile}>
        Profile
      </Heading>
      {facts.length === 0 ? (
        <p className={styles.soft}>Nothing yet.</p>
      ) : (
        <dl className={styles.facts}>
          {facts.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </Card>
  );
}

function CategoriesSummary({
  needed,
  picks,
  site,
}: {
  needed: readonly RequiredDocument[] | undefined;
  picks: readonly string[];
  site: Status["site"];
}) {
  const limit = useListedLimit()?.limit ?? Infinity;
  const ready = (needed ?? []).filter(({ approved }) => approved).map(({ slug }) => slug);
  // A site keeps the categories that it shows; a new one begins with the first.
  const isOver = (slug: string) =>
    site?.categories.find((category) => category.slug === slug)?.overLimit ?? ready.indexOf(slug) >= limit;
  const showsBadges = useFlag("certifications");
  return (
    <Card as="section" aria-labelledby="review-categories" className={styles.stack}>
      <Heading id="review-categories" to={paths.onboardingCategories}>
        Categories
      </Heading>
      {picks.length === 0 && <p className={styles.soft}>Nothing yet.</p>}
      {picks.length > 0 && (
        <ul className={styles.items}>
          {(needed ?? []).map(({ slug, name, approved, documents }) => (
            <li key={slug} className={styles.item}>
              <span>{name}</span>
              {approved && isOver(slug) ? (
                <Badge>More than your plan lists</Badge>
              ) : approved ? (
                <Badge tone="green">{documents.length > 0 && showsBadges ? "Listed, with a badge" : "Listed"}</Badge>
              ) : (
                <Badge tone="warning">Waiting for approval</Badge>
              )}
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

type DocumentsSummaryProps = { docs: readonly Status["docs"][string][]; names: readonly RequiredDocument[] };

function DocumentsSummary({ docs, names }: DocumentsSummaryProps) {
  return (
    <Card as="section" aria-labelledby="review-documents" className={styles.stack}>
      <Heading id="review-documents" to={paths.onboardingDocuments}>
        Documents
      </Heading>
      {docs.length === 0 ? (
        <p className={styles.soft}>None uploaded.</p>
      ) : (
        <ul className={styles.items}>
          {docs.map(({ id, type, status, category }) => {
            const state = UPLOADED_DOCUMENT_STATUS[status] ?? { label: status, tone: "neutral" as const };
            const of = names.find(({ slug }) => slug === category)?.name ?? category;
            return (
              <li key={id} className={styles.item}>
                <span>
                  {DOCUMENT_TYPE_LABELS[type] ?? type}
                  {of && <span className={styles.soft}>{` for ${of}`}</span>}
                </span>
                <Badge tone={state.tone}>{state.label}</Badge>
              </li>
            );
          })}
        </ul>
      )}
    </Card>
  );
}
