import { Globe } from "lucide-react";
import { useState } from "react";
import { useAddressText } from "../../kit/use-address-text";
import { Page } from "../../ui/page";
import styles from "./details.module.css";
import { ListFilters, ListView } from "./list-view";
import { NameButton } from "./name-button";
import { SiteDialog } from "./site-dialog";
import { StatusBadge } from "./status-badge";
import type { SiteRow } from "./types";
import { useChoice } from "./use-choice";
import { useList } from "./use-list";

const NUMBER = new Intl.NumberFormat("en-US");

/** All tenants with owner, state, domains, traffic and leads. */
export function SitesPage() {
  const [search, setSearch] = useAddressText("search");
  const [status, setStatus] = useChoice("status", ["", "active", "suspended", "unpublished"]);
  const [open, setOpen] = useState<SiteRow | null>(null);
  const list = useList<SiteRow>("sites", { search, status });
  return (
    <Page title="Guru sites" description="All guru sites, as staff see them.">
      <h2 className={styles.heading}>Guru sites</h2>
      <ListFilters
        search={{ label: "Search by label, domain or owner's email", value: search, onChange: setSearch }}
        choices={[
          {
            label: "Status",
            value: status,
            onChange: setStatus,
            options: [
              ["", "All"],
              ["active", "Active"],
              ["suspended", "Suspended"],
              ["unpublished", "Unpublished"],
            ],
          },
        ]}
      />
      <ListView
        list={list}
        label="Guru sites"
        trouble="The sites could not be loaded"
        empty={{ icon: Globe, title: "There are no guru sites yet." }}
        filtered={search !== "" || status !== ""}
        head={["Site", "Owner", "Domains", "Status", "Views", "Visitors (30 days)", "Leads", "Open reports"]}
        row={(site) => ({
          key: site.id,
          cells: [
            <NameButton key="name" name={site.label} note={site.character} onOpen={() => setOpen(site)} />,
            site.ownerName || site.ownerEmail || "–",
            site.domains.join(", ") || "–",
            <StatusBadge key="status" status={site.status} />,
            NUMBER.format(site.views),
            NUMBER.format(site.monthlyVisitors),
            NUMBER.format(site.leads),
            NUMBER.format(site.openReports),
          ],
        })}
      />
      {open && <SiteDialog label={open.label} onClose={() => setOpen(null)} />}
    </Page>
  );
}
