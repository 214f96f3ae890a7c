import { useState } from "react";
import { useFlag } from "@/lib/feature-flags";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Confirm } from "@/components/ui/confirm";
import { Dialog } from "@/components/ui/dialog";
import { Notice } from "@/components/ui/notice";
import { toast } from "@/lib/toast-store";
import { SubdomainField, BASE_HOST } from "./subdomain-field";
import { useUpdateSubdomain } from "../api/update-subdomain";
import { useUnpublishSite } from "../api/unpublish-site";
import { saveErrorText, type Site } from "../lib/types";
import styles from "./wizard.module.css";
import { fieldErrors } from "@porchlight/shared/client";

const STATUS_LABELS = {
  active: { label: "Live", tone: "good" },
  unpublished: { label: "Offline", tone: "neutral" },
  suspended: { label: "Suspended", tone: "danger" },
} as const;

/** The published site: address, listed categories, change of address, unpublish. */
export function SiteCard({ site }: { site: Site }) {
  const state = STATUS_LABELS[site.status];
  const showsBadges = useFlag("certifications");
  return (
    <Card as="section" aria-labelledby="review-site" padding="lg" className={styles.stack}>
      <div className={styles.head}>
        <h2 id="review-site" className={styles.heading}>
          Your site
        </h2>
        <Badge tone={state.tone}>{state.label}</Badge>
      </div>
      <p>
        {site.status === "active" ? (
          <a href={site.url}>{`${site.subdomain}.${BASE_HOST}`}</a>
        ) : (
          <span className={styles.soft}>{`${site.subdomain}.${BASE_HOST}`}</span>
        )}
      </p>
      <ul className={styles.items}>
        {site.categories.map(({ slug, name, listed, overLimit, verified }) => (
          <li key={slug} className={styles.item}>
            <span>{name}</span>
            <Badge tone={listed ? "good" : "warning"}>
              {verified && showsBadges
                ? "Listed, verified"
                : listed
                  ? "Listed"
                  : overLimit
                    ? "Not listed: over your plan's limit"
                    : "Waiting for approval"}
            </Badge>
          </li>
        ))}
      </ul>
      {site.status !== "suspended" && (
        <div className={styles.foot}>
          <RenameDialog site={site} />
          {site.status === "active" && <UnpublishDialog />}
        </div>
      )}
    </Card>
  );
}

function RenameDialog({ site }: { site: Site }) {
  const [open, setOpen] = useState(false);
  const [address, setAddress] = useState(site.subdomain);
  const rename = useUpdateSubdomain();
  const addressError = fieldErrors(rename.error).subdomain;

  async function changeAddress() {
    try {
      await rename.mutateAsync(address);
      setOpen(false);
      toast.success("Your site's address has been changed.");
    } catch {
      // The error is shown in the dialog.
    }
  }

  return (
    <>
      <Button variant="secondary" onClick={() => setOpen(true)}>
        Change address
      </Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title="Change your site's address"
        description="Your old address will redirect to the new one. You can change it a limited number of times."
      >
        <div className={styles.stack}>
          <SubdomainField
            value={address}
            onChange={(value) => {
              setAddress(value);
              rename.reset();
            }}
            rejection={addressError}
            current={site.subdomain}
          />
          {rename.isError && !addressError && <Notice tone="danger">{saveErrorText(rename.error)}</Notice>}
          <div className={styles.ends}>
            <Button variant="ghost" onClick={() => setOpen(false)}>
              Cancel
            </Button>
            <Button
              loading={rename.isPending}
              disabled={address === "" || address === site.subdomain}
              onClick={() => void changeAddress()}
            >
              Change address
            </Button>
          </div>
        </div>
      </Dialog>
    </>
  );
}

function UnpublishDialog() {
  const [open, setOpen] = useState(false);
  const unpublish = useUnpublishSite();

  async function unpublishSite() {
    try {
      await unpublish.mutateAsync(undefined);
      setOpen(false);
      toast.success("Your site is offline.");
    } catch {
      // The error is shown in the dialog.
    }
  }

  return (
    <>
      <Button variant="ghost" onClick={() => setOpen(true)}>
        Take it offline
      </Button>
      <Confirm
        open={open}
        onOpenChange={setOpen}
        title="Take your site offline?"
        description="Visitors will see that it's no longer available. You won't lose anything, and you can publish it again anytime."
        cancel="Keep it live"
        action="Take it offline"
        busy={unpublish.isPending}
        onConfirm={() => void unpublishSite()}
      >
        {unpublish.isError && <Notice tone="danger">{saveErrorText(unpublish.error)}</Notice>}
      </Confirm>
    </>
  );
}
