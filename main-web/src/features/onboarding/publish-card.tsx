import { Rocket } from "lucide-react";
import { useState } from "react";
import { useNavigate } from "react-router-dom";
import { paths } from "../../app/paths";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { Notice } from "../../ui/notice";
import { toast } from "../../ui/toast-store";
import { AddressField } from "./address-field";
import { usePublish } from "./change-site";
import { useAddress } from "./get-address";
import { saveErrorText, type Status } from "./own";
import { usePutDraft } from "./put-draft";
import { useAutosave } from "./use-autosave";
import styles from "./wizard.module.css";
import { ApiError } from "@porchlight/shared/client";

/** SPEC 4. */
export const PUBLISHED = "Submitted. A badge appears after any required docs are approved.";

/** Where the site will be, and the button that makes it so. Publishing again brings it up to date. */
export function PublishCard({ status }: { status: Status }) {
  const { site, step } = status;
  const proposal = useAddress("", !site && !status.subdomain);
  const [typed, setTyped] = useState<string | null>(null);
  const [refused, setRefused] = useState<{ address: string; words: string } | null>(null);
  const publish = usePublish();
  const navigate = useNavigate();
  const draft = useAutosave(usePutDraft());
  const address = typed ?? (status.subdomain || (proposal.data?.subdomain ?? ""));
  const suspended = site?.status === "suspended";
  const again = site !== null;

  function type(subdomain: string) {
    setTyped(subdomain);
    publish.reset();
    draft.schedule({ subdomain });
  }

  async function go() {
    await draft.settle();
    try {
      await publish.mutateAsync(again ? undefined : address);
      toast.success(PUBLISHED);
      void navigate(paths.dashboard);
    } catch (reason) {
      const words = reason instanceof ApiError ? reason.fields.subdomain : undefined;
      if (words) setRefused({ address, words });
    }
  }

  return (
    <Card as="section" aria-labelledby="review-publish" padding="lg" className={styles.stack}>
      <h2 id="review-publish" className={styles.heading}>
        {again ? "Bring your site up to date" : "Your site"}
      </h2>
      {again ? (
        <p className={styles.soft}>{updateWords(status)}</p>
      ) : (
        <AddressField
          value={address}
          onChange={type}
          refused={refused?.address === address ? refused.words : undefined}
        />
      )}
      {publish.isError && refused?.address !== address && <Notice tone="danger">{saveErrorText(publish.error)}</Notice>}
      <div className={styles.foot}>
        <Button
          size="lg"
          variant={site?.status === "active" && !site.changed ? "secondary" : "primary"}
          disabled={!step.reviewReady || suspended || (!again && address === "")}
          loading={publish.isPending}
          onClick={() => void go()}
        >
          {!publish.isPending && <Rocket size={18} aria-hidden="true" />}
          Publish Profile
        </Button>
        {!step.reviewReady && <p className={styles.soft}>Complete all steps first.</p>}
      </div>
    </Card>
  );
}

function updateWords({ site }: Status): string {
  if (site?.status === "suspended") return "Your site has been suspended. Please write to us if you think this is a mistake.";
  if (site?.status === "unpublished") return "Your site is off the air. Publishing brings it back, up to date.";
  return site?.changed
    ? "You have changed something since you last published. Publishing shows it on your site."
    : "Your site shows everything as it stands here.";
}
