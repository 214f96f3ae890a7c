import { useQuery } from "@tanstack/react-query";
import { Download, Eye } from "lucide-react";
import { useState } from "react";
import { Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { onSettled } from "@/lib/on-settled";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { toast } from "@/lib/toast-store";
import { useUpdateSuspension, useStartImpersonation, ReasonForm, StatusBadge } from "@/features/admin/contract";
import { Details, Facts } from "@/components/ui/details";
import styles from "@/components/ui/details.module.css";
import { siteQuery } from "../api/get-site";
import { useExportSite } from "../api/export-site";
import type { SiteRow } from "../lib/types";
import { formatDate } from "@porchlight/shared/format/dates";

/** The details of a site, with the actions suspend, restore, export and impersonate. */
export function SiteDialog({ label, onClose }: { label: string; onClose: () => void }) {
  const query = useQuery(siteQuery(label));
  return (
    <Details title={query.data?.character ?? label} query={query} onClose={onClose}>
      {(data) => <Site site={data} />}
    </Details>
  );
}

function Site({ site }: { site: SiteRow }) {
  const [openForm, setOpenForm] = useState<"suspend" | "look" | null>(null);
  const change = useUpdateSuspension({ site: site.label });
  const archive = useExportSite(site.label);
  const impersonate = useStartImpersonation(site.label);
  const address = `${window.location.protocol}//${site.label}.${window.location.host}/`;
  const suspended = site.status === "suspended";
  const error = archive.error ?? (openForm === null ? change.error : null);

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
            site.ownerEmail && (
              <Link to={`${paths.admin}?tab=users&search=${encodeURIComponent(site.ownerEmail)}`}>
                {site.ownerEmail}
              </Link>
            ),
          ],
          ["Domains", site.domains.join(", ")],
          ["Posts", String(site.posts)],
          ["Views", String(site.views)],
          ["Visitors (30 days)", String(site.monthlyVisitors)],
          ["Leads", String(site.leads)],
          ["Open reports", String(site.openReports)],
          ["Since", formatDate(site.createdAt)],
        ]}
      />
      {error && <Notice tone="danger">{error.message}</Notice>}
      {openForm === null && (
        <div className={styles.actions}>
          {suspended ? (
            <Button
              loading={change.isPending}
              onClick={() =>
                onSettled(change.mutateAsync({ suspend: false }), () => toast.success(`${site.label} restored.`))
              }
            >
              Restore this site
            </Button>
          ) : (
            <Button variant="danger" onClick={() => setOpenForm("suspend")}>
              Suspend…
            </Button>
          )}
          <Button variant="secondary" loading={archive.isPending} onClick={() => archive.mutate()}>
            {!archive.isPending && <Download size={16} aria-hidden="true" />}
            Export
          </Button>
          <Button variant="secondary" onClick={() => setOpenForm("look")}>
            <Eye size={16} aria-hidden="true" />
            View as this guru…
          </Button>
        </div>
      )}
      {openForm === "suspend" && (
        <ReasonForm
          submitLabel="Suspend this site"
          danger
          pending={change.isPending}
          error={change.error?.message}
          onSubmit={(reason) =>
            onSettled(change.mutateAsync({ suspend: true, reason }), () => {
              setOpenForm(null);
              toast.success(`${site.label} suspended.`);
            })
          }
          onCancel={() => setOpenForm(null)}
        >
          <p>Takes the site offline immediately. No data is deleted. The guru sees the reason in their console.</p>
        </ReasonForm>
      )}
      {openForm === "look" && (
        <ReasonForm
          submitLabel="Open the console"
          pending={impersonate.isPending}
          error={impersonate.error?.message}
          onSubmit={(reason) => impersonate.mutate(reason)}
          onCancel={() => setOpenForm(null)}
        >
          <p>You&apos;ll see the guru&apos;s console for 15 minutes, read-only. This is recorded in the audit log.</p>
        </ReasonForm>
      )}
    </>
  );
}
