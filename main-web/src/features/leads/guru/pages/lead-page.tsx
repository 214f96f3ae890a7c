import { useParams } from "react-router-dom";
import { paths } from "@/config/paths";
import { BackLink } from "@/components/ui/back-link";
import { TwoColumns } from "@/components/ui/two-columns";
import { Badge } from "@/components/ui/badge";
import { PageHead } from "@/components/layout/page-head";
import { Skeleton } from "@/components/ui/skeleton";
import { ErrorState } from "@/components/ui/state";
import { Stack } from "@/components/ui/stack";
import { PageHeader, PageTitle } from "@/components/ui/page-header";
import { RowFacts } from "@/components/ui/data-list";
import { useLead } from "../api/get-lead";
import { LeadMessage } from "../components/lead-message";
import { LeadNotes } from "../components/lead-notes";
import { LeadStatusButtons } from "../components/lead-status-buttons";
import { ReplyForm } from "../components/reply-form";
import { SentReplies } from "../components/sent-replies";
import type { ConsoleLead } from "../lib/types";
import { LEAD_STATUS_LABELS, LEAD_STATUS_TONES } from "../lib/labels";
import { ApiError } from "@porchlight/shared/client";
import { formatDateTime } from "@porchlight/shared/format/dates";

/** A lead with its replies and notes. */
export function LeadPage() {
  const { id = "" } = useParams();
  const lead = useLead(id);
  const isMissing = lead.error instanceof ApiError && lead.error.status === 404;
  return (
    <PageHead title={lead.data?.name ?? "Lead"} description="A message from your site.">
      <BackLink to={paths.guruLeads}>Leads</BackLink>
      {lead.isPending && (
        <Stack aria-busy="true">
          <Skeleton width="40%" height="2.5rem" radius="md" />
          <Skeleton height="12rem" radius="md" />
        </Stack>
      )}
      {lead.isError && !lead.data && (
        <>
          <PageTitle>{isMissing ? "Lead not found" : "Lead"}</PageTitle>
          <ErrorState
            title={isMissing ? "We couldn't find this lead" : "We couldn't load this lead"}
            message={isMissing ? "The link may be out of date." : lead.error.message}
            {...(!isMissing && { onRetry: () => void lead.refetch(), retrying: lead.isFetching })}
          />
        </>
      )}
      {lead.data && <Lead key={lead.data.id} lead={lead.data} />}
    </PageHead>
  );
}

function Lead({ lead }: { lead: ConsoleLead }) {
  return (
    <>
      <PageHeader
        title={lead.name}
        more={
          <RowFacts>
            <Badge tone={LEAD_STATUS_TONES[lead.status]}>{LEAD_STATUS_LABELS[lead.status]}</Badge>
            <span>{formatDateTime(lead.createdAt)}</span>
            {lead.service && <span>About {lead.service}</span>}
          </RowFacts>
        }
      >
        <LeadStatusButtons lead={lead} />
      </PageHeader>
      <TwoColumns>
        <Stack>
          <LeadMessage lead={lead} />
          <SentReplies lead={lead} />
          <ReplyForm lead={lead} />
        </Stack>
        <LeadNotes lead={lead} />
      </TwoColumns>
    </>
  );
}
