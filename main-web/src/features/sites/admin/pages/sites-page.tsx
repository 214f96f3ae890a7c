import { Globe } from "lucide-react";
import { useState } from "react";
import { useSearchParamsText } from "@/lib/use-search-params-text";
import { PageHead } from "@/components/layout/page-head";
import { ListFilters, ListView, NameButton, StatusBadge } from "@/features/admin/contract";
import { useSearchParamsChoice } from "@/lib/use-search-params-choice";
import { SiteDialog } from "../components/site-dialog";
import type { SiteRow } from "../lib/types";
import { useSites } from "../api/get-sites";
import { formatNumber } from "@porchlight/shared/format/numbers";

/** All sites with owner, status, domains, traffic and leads. */
export function SitesPage() {
  const [search, setSearch] = useSearchParamsText("search");
  const [status, setStatus] = useSearchParamsChoice("status", ["", "active", "suspended", "unpublished"]);
  const [open, setOpen] = useState<SiteRow | null>(null);
  const list = useSites({ search, status });
  return (
    <PageHead title="Guru sites" description="All guru sites.">
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
        errorTitle="We couldn't load sites"
        empty={{ icon: Globe, title: "No guru sites yet." }}
        filtered={search !== "" || status !== ""}
        head={["Site", "Owner", "Domains", "Status", "Views", "Visitors (30 days)", "Leads", "Open reports"]}
        row={(site) => ({
          key: site.id,
          cells: [
            <NameButton key="name" name={site.label} note={site.character} onOpen={() => setOpen(site)} />,
            site.ownerName || site.ownerEmail || "–",
            site.domains.join(", ") || "–",
            <StatusBadge key="status" status={site.status} />,
            formatNumber(site.views),
            formatNumber(site.monthlyVisitors),
            formatNumber(site.leads),
            formatNumber(site.openReports),
          ],
        })}
      />
      {open && <SiteDialog label={open.label} onClose={() => setOpen(null)} />}
    </PageHead>
  );
}
