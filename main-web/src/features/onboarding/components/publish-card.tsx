import { Rocket } from "lucide-react";
import { useState } from "react";
import { useNavigate } from "react-router-dom";
import { useFlag } from "@/lib/feature-flags";
import { paths } from "@/config/paths";
import { SITE_LIVE_STATE } from "@/lib/site-live";
import { useAutosave } from "@/lib/use-autosave";
import { useStableWhileFocused } from "@/lib/use-stable-while-focused";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Notice } from "@/components/ui/notice";
import { toast } from "@/lib/toast-store";
import { SubdomainField } from "./subdomain-field";
import { usePublishSite } from "../api/publish-site";
import { useSubdomainCheck } from "../api/check-subdomain";
import { saveErrorText, type Status } from "../lib/types";
import { useSaveDraft } from "../api/save-draft";
import { DRAFT_AUTOSAVE } from "../lib/draft-autosave";
import styles from "./wizard.module.css";
import { fieldErrors } from "@porchlight/shared/client";

/** SPEC 4. */
export const PUBLISHED = "Submitted. A badge appears after any required docs are approved.";

/** The future address of the site, and the publish button. Publishing again updates the site. */
export function PublishCard({ status }: { status: Status }) {
  const { site, step } = status;
  const proposal = useSubdomainCheck("", !site && !status.subdomain);
  const [text, setText] = useState<string | null>(null);
  const [rejection, setRejection] = useState<{ address: string; message: string } | null>(null);
  const publish = usePublishSite();
  const showsBadges = useFlag("certifications");
  const navigate = useNavigate();
  const draft = useAutosave(useSaveDraft(), DRAFT_AUTOSAVE);
  const { shown, handlers } = useStableWhileFocused(status.subdomain || (proposal.data?.subdomain ?? ""));
  const address = text ?? shown;
  const suspended = site?.status === "suspended";
  const isPublished = site !== null;
  const needsServices = !isPublished && !status.services.confirmed;
  const needsSkills = !isPublished && !status.skills.confirmed;

  function changeSubdomain(subdomain: string) {
    setText(subdomain);
    publish.reset();
    draft.schedule({ subdomain });
  }

  async function publishSite() {
    await draft.cancel();
    try {
      await publish.mutateAsync(isPublished ? undefined : address);
      toast.success(PUBLISHED);
      if (!showsBadges) toast.info("Badges are coming soon."); // SPEC's sentence promises one.
      void navigate(paths.dashboard, { state: site?.status === "active" ? null : SITE_LIVE_STATE });
    } catch (reason) {
      const message = fieldErrors(reason).subdomain;
      if (message) setRejection({ address, message });
    }
  }

  return (
    <Card as="section" aria-labelledby="review-publish" padding="lg" className={styles.stack}>
      <h2 id="review-publish" className={styles.heading}>
        {isPublished ? "Update your site" : "Your site"}
      </h2>
      {isPublished ? (
        <p className={styles.soft}>{updateWords(status)}</p>
      ) : (
        <SubdomainField
          value={address}
          onChange={changeSubdomain}
          rejection={rejection?.address === address ? rejection.message : undefined}
          {...handlers}
        />
      )}
      {publish.isError && rejection?.address !== address && (
        <Notice tone="danger">{saveErrorText(publish.error)}</Notice>
      )}
      <div className={styles.foot}>
        <Button
          size="lg"
          variant={site?.status === "active" && !site.changed ? "secondary" : "primary"}
          disabled={!step.reviewReady || needsServices || needsSkills || suspended || (!isPublished && address === "")}
          loading={publish.isPending}
          onClick={() => void publishSite()}
        >
          {!publish.isPending && <Rocket size={18} aria-hidden="true" />}
          Publish Profile
        </Button>
        {!step.reviewReady && <p className={styles.soft}>Complete all steps first.</p>}
        {step.reviewReady && needsSkills && <p className={styles.soft}>Confirm your skills first.</p>}
        {step.reviewReady && needsServices && !needsSkills && (
          <p className={styles.soft}>Confirm your services first.</p>
        )}
      </div>
    </Card>
  );
}

function updateWords({ site }: Status): string {
  if (site?.status === "suspended") return "Your site has been suspended. Contact us if you think this is a mistake.";
  if (site?.status === "unpublished")
    return "Your site is offline. Publish it to bring it back with your latest changes.";
  return site?.changed
    ? "You've made changes since you last published. Publish to update your site."
    : "Your site is up to date.";
}
