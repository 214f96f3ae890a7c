import { Download, Inbox, Search } from "lucide-react";
import { useState } from "react";
import { paths } from "@/config/paths";
import { useSearchParamsState } from "@/lib/use-search-params-state";
import { useSearchParamsText } from "@/lib/use-search-params-text";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/field";
import { PageHead } from "@/components/layout/page-head";
import { EmptyState, ErrorState } from "@/components/ui/state";
import { toast } from "@/lib/toast-store";
import { PageHeader } from "@/components/ui/page-header";
import {
  DataList,
  DataRow,
  ListSearch,
  MoreButton,
  PendingList,
  RowExcerpt,
  RowFacts,
  RowLink,
  RowName,
  RowText,
} from "@/components/ui/data-list";
import { Choice, Choices } from "@/components/ui/choices";
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
    <PageHead title="Leads" description="Messages from people who visited your site.">
      <PageHeader title="Leads" lead="Messages from people who visited your site.">
        <ExportButton />
      </PageHeader>
      <ListSearch
        search={
          <Input
            type="search"
            aria-label="Search leads"
            placeholder="Name, email or message"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
        }
      >
        <Choices label="Show">
          {FILTERS.map((filter) => (
            <Choice
              key={filter}
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
            </Choice>
          ))}
        </Choices>
      </ListSearch>
      {leads.isPending && <PendingList rows={4} height="5.5rem" />}
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
        <DataList aria-label="Leads">
          {rows.map((lead) => (
            <Row key={lead.id} lead={lead} />
          ))}
        </DataList>
      )}
      <MoreButton list={leads} />
    </PageHead>
  );
}

function Row({ lead }: { lead: LeadRow }) {
  return (
    <DataRow interactive fresh={lead.status === "new"}>
      <RowText>
        <RowName>
          <RowLink to={paths.guruLead.replace(":id", lead.id)}>{lead.name}</RowLink>
        </RowName>
        <RowExcerpt>{lead.message}</RowExcerpt>
        <RowFacts>
          <Badge tone={LEAD_STATUS_TONES[lead.status]}>{LEAD_STATUS_LABELS[lead.status]}</Badge>
          <span>{formatDateTime(lead.createdAt)}</span>
          {lead.service && <span>{lead.service}</span>}
        </RowFacts>
      </RowText>
    </DataRow>
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
