import { Download, Inbox, Search } from "lucide-react";
import { useState } from "react";
import { Link } from "react-router-dom";
import { paths } from "../../app/paths";
import { useAddress } from "../../kit/use-address";
import { useAddressText } from "../../kit/use-address-text";
import { Badge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { cx } from "../../ui/cx";
import { Input } from "../../ui/field";
import { Page } from "../../ui/page";
import { Skeleton } from "../../ui/skeleton";
import { EmptyState, ErrorState } from "../../ui/state";
import { toast } from "../../ui/toast-store";
import styles from "./console.module.css";
import { exportLeads, useLeads } from "./lead-calls";
import type { LeadRow, LeadStatus } from "./types";
import { LEAD_STATUSES, LEAD_TONES, moment, why } from "./words";

const FILTERS: (LeadStatus | "")[] = ["", "new", "read", "answered", "archived"];

/** People who wrote. */
export function LeadsPage() {
  const [search, setSearch] = useAddressText("q");
  const [params, setParams] = useAddress();
  const status = FILTERS.find((each) => each === params.get("status")) ?? "";
  const leads = useLeads(status, params.get("q") ?? "");
  const counts = leads.data?.pages[0]?.counts;
  const rows = leads.data?.pages.flatMap((page) => page.leads) ?? [];

  return (
    <Page title="Leads" description="People who wrote to you.">
      <header className={styles.head}>
        <div>
          <h1 className={styles.title}>Leads</h1>
          <p className={styles.lead}>People who wrote to you from your site.</p>
        </div>
        <ExportButton />
      </header>
      <div className={styles.filters}>
        <div className={styles.search}>
          <Input
            type="search"
            aria-label="Search leads"
            placeholder="Search by name, email or words"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
        </div>
        <div className={styles.choices} role="group" aria-label="Show">
          {FILTERS.map((each) => (
            <button
              key={each}
              type="button"
              className={styles.choice}
              aria-pressed={status === each}
              onClick={() =>
                setParams(
                  (now) => {
                    if (each) now.set("status", each);
                    else now.delete("status");
                    return now;
                  },
                  { replace: true },
                )
              }
            >
              {each === "" ? "Inbox" : LEAD_STATUSES[each]}
              {each !== "" && counts && ` ${counts[each]}`}
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
          title="Your leads are out of reach"
          message={leads.error.message}
          onRetry={() => void leads.refetch()}
          retrying={leads.isFetching}
        />
      )}
      {leads.data && rows.length === 0 && (search || status ? (
        <EmptyState icon={Search} title="No leads match">
          Try another word, or look at the whole inbox.
        </EmptyState>
      ) : (
        <EmptyState icon={Inbox} title="Nobody has written yet">
          When somebody leaves you a message on your site, it arrives here and in your mail.
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
        <Button variant="secondary" className={styles.end} loading={leads.isFetchingNextPage} onClick={() => void leads.fetchNextPage()}>
          Show more
        </Button>
      )}
    </Page>
  );
}

function Row({ lead }: { lead: LeadRow }) {
  return (
    <Card as="li" interactive className={cx(styles.row, lead.status === "new" && styles.fresh)}>
      <div className={styles.words}>
        <h2 className={styles.name}>
          <Link to={paths.guruLead.replace(":id", lead.id)} className={styles.cover}>
            {lead.name}
          </Link>
        </h2>
        <p className={styles.clip}>{lead.message}</p>
        <p className={styles.facts}>
          <Badge tone={LEAD_TONES[lead.status]}>{LEAD_STATUSES[lead.status]}</Badge>
          <span>{moment(lead.createdAt)}</span>
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
      toast.error(why(reason));
    } finally {
      setBusy(false);
    }
  }

  return (
    <Button variant="secondary" loading={busy} onClick={() => void download()}>
      {!busy && <Download size={16} aria-hidden="true" />}
      Export as CSV
    </Button>
  );
}
