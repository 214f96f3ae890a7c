import { useState } from "react";
import { Badge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { Dialog } from "../../ui/dialog";
import { Notice } from "../../ui/notice";
import { toast } from "../../ui/toast-store";
import { AddressField, BASE } from "./address-field";
import { useRename, useUnpublish } from "./change-site";
import { saveErrorText, type Site } from "./own";
import styles from "./wizard.module.css";
import { ApiError } from "@porchlight/shared/client";

const STATES = {
  active: { words: "On the air", tone: "green" },
  unpublished: { words: "Off the air", tone: "neutral" },
  suspended: { words: "Suspended", tone: "danger" },
} as const;

/** The site as a whole: where it is, what it lists, another address, off the air. */
export function SiteCard({ site }: { site: Site }) {
  const state = STATES[site.status];
  return (
    <Card as="section" aria-labelledby="review-site" padding="lg" className={styles.stack}>
      <div className={styles.head}>
        <h2 id="review-site" className={styles.heading}>
          Your site
        </h2>
        <Badge tone={state.tone}>{state.words}</Badge>
      </div>
      <p>
        {site.status === "active" ? (
          <a href={site.url}>{`${site.subdomain}.${BASE}`}</a>
        ) : (
          <span className={styles.soft}>{`${site.subdomain}.${BASE}`}</span>
        )}
      </p>
      <ul className={styles.papers}>
        {site.categories.map(({ slug, name, listed, verified }) => (
          <li key={slug} className={styles.paper}>
            <span>{name}</span>
            <Badge tone={listed ? "green" : "lamp"}>{verified ? "Listed, verified" : listed ? "Listed" : "Held back"}</Badge>
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
  const rename = useRename();
  const words = rename.error instanceof ApiError ? rename.error.fields.subdomain : undefined;

  async function go() {
    try {
      await rename.mutateAsync(address);
      setOpen(false);
      toast.success("Your site has a new address.");
    } catch {
      // The dialog shows it.
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
        description="The address of today leads to the new one and stays yours. You can do this a few times only."
      >
        <div className={styles.stack}>
          <AddressField
            value={address}
            onChange={(value) => {
              setAddress(value);
              rename.reset();
            }}
            refused={words}
            current={site.subdomain}
          />
          {rename.isError && !words && <Notice tone="danger">{saveErrorText(rename.error)}</Notice>}
          <div className={styles.ends}>
            <Button variant="ghost" onClick={() => setOpen(false)}>
              Keep it
            </Button>
            <Button loading={rename.isPending} disabled={address === "" || address === site.subdomain} onClick={() => void go()}>
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
  const unpublish = useUnpublish();

  async function go() {
    try {
      await unpublish.mutateAsync(undefined);
      setOpen(false);
      toast.success("Your site is off the air.");
    } catch {
      // The dialog shows it.
    }
  }

  return (
    <>
      <Button variant="ghost" onClick={() => setOpen(true)}>
        Take it off the air
      </Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title="Take your site off the air?"
        description="Visitors read that it is no longer available. Nothing is lost: publishing brings it back."
      >
        <div className={styles.stack}>
          {unpublish.isError && <Notice tone="danger">{saveErrorText(unpublish.error)}</Notice>}
          <div className={styles.ends}>
            <Button variant="ghost" onClick={() => setOpen(false)}>
              Leave it on
            </Button>
            <Button variant="danger" loading={unpublish.isPending} onClick={() => void go()}>
              Take it off the air
            </Button>
          </div>
        </div>
      </Dialog>
    </>
  );
}
