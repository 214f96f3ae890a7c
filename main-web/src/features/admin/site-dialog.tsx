import { useQuery } from "@tanstack/react-query";
import { Download, Eye } from "lucide-react";
import { useState } from "react";
import { Link } from "react-router-dom";
import { paths } from "../../app/paths";
import { afterwards } from "../../kit/afterwards";
import { Button } from "../../ui/button";
import { formatDay } from "../../ui/format-date";
import { Notice } from "../../ui/notice";
import { toast } from "../../ui/toast-store";
import { useChangeSuspension } from "./change-suspension";
import { Details, Facts } from "./details";
import styles from "./details.module.css";
import { siteQuery } from "./get-site";
import { useBeginLooking } from "./impersonation";
import { useExport } from "./post-export";
import { ReasonForm } from "./reason-form";
import { StatusBadge } from "./status-badge";
import type { SiteRow } from "./types";

/** Everything about one site, and what staff may do: suspend, restore, export, look at it as its guru. */
export function SiteDialog({ label, onClose }: { label: string; onClose: () => void }) {
  const query = useQuery(siteQuery(label));
  return (
    <Details title={query.data?.character ?? label} query={query} onClose={onClose}>
      {(found) => <Site site={found} />}
    </Details>
  );
}

function Site({ site }: { site: SiteRow }) {
  const [asking, setAsking] = useState<"suspend" | "look" | null>(null);
  const change = useChangeSuspension(`sites/${site.label}`);
  const archive = useExport(site.label);
  const look = useBeginLooking(site.label);
  const address = `${window.location.protocol}//${site.label}.${window.location.host}/`;
  const suspended = site.status === "suspended";
  const trouble = archive.error ?? (asking === null ? change.error : null);

  return (
    <>
      <Facts
        facts={[
          ["Status", <StatusBadge key="status" status={site.status} />],
          [
            "Address",
            <a key="address" href={address} target="_blank" rel="noreferrer">
              {new URL(address).host}
            </a>,
          ],
          ["Owner", site.ownerName],
          [
            "Owner's email",
            site.ownerEmail && <Link to={`${paths.admin}?tab=users&search=${encodeURIComponent(site.ownerEmail)}`}>{site.ownerEmail}</Link>,
          ],
          ["Domains", site.domains.join(", ")],
          ["Posts", String(site.posts)],
          ["Views", String(site.views)],
          ["Visitors in 30 days", String(site.monthlyVisitors)],
          ["Leads", String(site.leads)],
          ["Open reports", String(site.openReports)],
          ["Since", formatDay(site.createdAt)],
        ]}
      />
      {trouble && <Notice tone="danger">{trouble.message}</Notice>}
      {asking === null && (
        <div className={styles.actions}>
          {suspended ? (
            <Button
              loading={change.isPending}
              onClick={() =>
                afterwards(change.mutateAsync({ suspend: false }), () => toast.success(`${site.label} is back.`))
              }
            >
              Restore this site
            </Button>
          ) : (
            <Button variant="danger" onClick={() => setAsking("suspend")}>
              Suspend…
            </Button>
          )}
          <Button variant="secondary" loading={archive.isPending} onClick={() => archive.mutate()}>
            {!archive.isPending && <Download size={16} aria-hidden="true" />}
            Export
          </Button>
          <Button variant="secondary" onClick={() => setAsking("look")}>
            <Eye size={16} aria-hidden="true" />
            View as this guru…
          </Button>
        </div>
      )}
      {asking === "suspend" && (
        <ReasonForm
          act="Suspend this site"
          danger
          pending={change.isPending}
          failure={change.error?.message}
          onSubmit={(reason) =>
            afterwards(change.mutateAsync({ suspend: true, reason }), () => {
              setAsking(null);
              toast.success(`${site.label} is suspended.`);
            })
          }
          onCancel={() => setAsking(null)}
        >
          <p>Visitors see at once that the site is no longer available. Nothing of it is lost.</p>
        </ReasonForm>
      )}
      {asking === "look" && (
        <ReasonForm
          act="Open the console"
          pending={look.isPending}
          failure={look.error?.message}
          onSubmit={(reason) => look.mutate(reason)}
          onCancel={() => setAsking(null)}
        >
          <p>You will see the guru&apos;s console for 15 minutes, read-only. The audit log keeps that you did.</p>
        </ReasonForm>
      )}
    </>
  );
}
