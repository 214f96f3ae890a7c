import { Download, Inbox, Search } from "lucide-react";
import { useState } from "react";
import { Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { useSearchParamsState } from "@/lib/use-search-params-state";
import { useSearchParamsText } from "@/lib/use-search-params-text";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { cx } from "@/lib/cx";
import { Input } from "@/components/ui/field";
import { Page } from "@/components/layout/page";
import { Skeleton } from "@/components/ui/skeleton";
import { EmptyState, ErrorState } from "@/components/ui/state";
import { toast } from "@/lib/toast-store";
import styles from "@/components/console.module.css";
import { errorMessage } from "@/lib/errors";
import { exportLeads } from "../api/export-leads";
import { useLeads } from "../api/get-leads";
import type { LeadRow, LeadStatus } from "../lib/types";
import { LEAD_STATUS_LABELS, LEAD_STATUS_TONES } from "../lib/labels";
import { formatDateTime } from "@porchlight/shared/format/dates";

const FILTERS: (LeadStatus | "")[] = ["", "new", "read", "answered", "archived"];

/** The leads of the guru's site. */
export function LeadsPage() {
  const [search, setSearch] = useSearchParamsText("q");
  const [params, setParams] = useSearchParamsState();
  const status = FILTERS.find((filter) => filter === params.get("status")) ?? "";
  const leads = useLeads(status, params.get("q") ?? "");
  const counts = leads.data?.pages[0]?.counts;
  const rows = leads.data?.pages.flatMap((page) => page.leads) ?? [];

  return (
    <Page title="Leads" description="Messages from people who visited your site.">
      <header className={styles.head}>
        <div>
          <h1 className={styles.title}>Leads</h1>
          <p className={styles.lead}>Messages from people who visited your site.</p>
        </div>
        <ExportButton />
      </header>
      <div className={styles.filters}>
        <div className={styles.search}>
          <Input
            type="search"
            aria-label="Search leads"
            placeholder="Name, email or message"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
        </div>
        <div className={styles.choices} role="group" aria-label="Show">
          {FILTERS.map((filter) => (
            <button
              key={filter}
              type="button"
              className={styles.choice}
              aria-pressed={status === filter}
              onClick={() =>
                setParams(
                  (current) => {
                    if (filter) current.set("status", filter);
                    else current.delete("status");
                    return current;
                  },
                  { replace: true },
                )
              }
            >
              {filter === "" ? "Inbox" : LEAD_STATUS_LABELS[filter]}
              {filter !== "" && counts && ` ${counts[filter]}`}
            </button>
          ))}
        </div>
      </div>
      {leads.isPending && (
        <div className={styles.rows} aria-busy="true">
          {[1, 2, 3, 4].map((row) => (
            <Skeleton key={row} height="5.5rem" radius="md" />
          ))}
        </div>
      )}
      {leads.isError && !leads.data && (
        <ErrorState
          title="We couldn't load your leads"
          message={leads.error.message}
          onRetry={() => void leads.refetch()}
          retrying={leads.isFetching}
        />
      )}
      {leads.data &&
        rows.length === 0 &&
        (search || status ? (
          <EmptyState icon={Search} title="No leads match">
            Try a different search or clear the filter.
          </EmptyState>
        ) : (
          <EmptyState icon={Inbox} title="No messages yet">
            When someone sends a message from your site, you'll see it here and get an email.
          </EmptyState>
        ))}
      {rows.length > 0 && (
        <ul className={styles.rows} aria-label="Leads">
          {rows.map((lead) => (
            <Row key={lead.id} lead={lead} />
          ))}
        </ul>
      )}
      {leads.hasNextPage && (
        <Button
          variant="secondary"
          className={styles.end}
          loading={leads.isFetchingNextPage}
          onClick={() => void leads.fetchNextPage()}
        >
          Show more
        </Button>
      )}
    </Page>
  );
}

function Row({ lead }: { lead: LeadRow }) {
  return (
    <Card as="li" interactive className={cx(styles.row, lead.status === "new" && styles.fresh)}>
      <div className={styles.details}>
        <h2 className={styles.name}>
          <Link to={paths.guruLead.replace(":id", lead.id)} className={styles.cover}>
            {lead.name}
          </Link>
        </h2>
        <p className={styles.clip}>{lead.message}</p>
        <p className={styles.facts}>
          <Badge tone={LEAD_STATUS_TONES[lead.status]}>{LEAD_STATUS_LABELS[lead.status]}</Badge>
          <span>{formatDateTime(lead.createdAt)}</span>
          {lead.service && <span>{lead.service}</span>}
        </p>
      </div>
    </Card>
  );
}

function ExportButton() {
  const [busy, setBusy] = useState(false);

  async function download() {
    setBusy(true);
    try {
      const address = URL.createObjectURL(await exportLeads());
      const link = document.createElement("a");
      link.href = address;
      link.download = "leads.csv";
      link.click();
      URL.revokeObjectURL(address);
    } catch (reason) {
      toast.error(errorMessage(reason));
    } finally {
      setBusy(false);
    }
  }

  return (
    <Button variant="secondary" loading={busy} onClick={() => void download()}>
      {!busy && <Download size={16} aria-hidden="true" />}
      Export as CSV (newest 10,000)
    </Button>
  );
}
