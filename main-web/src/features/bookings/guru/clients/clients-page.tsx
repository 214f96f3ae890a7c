import { Search, UsersRound } from "lucide-react";
import { useState } from "react";
import { PageHead } from "@/components/layout/page-head";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Choice, Choices } from "@/components/ui/choices";
import {
  DataList,
  DataRow,
  ListSearch,
  MoreButton,
  PendingList,
  RowFacts,
  RowLink,
  RowName,
  RowText,
} from "@/components/ui/data-list";
import { Input } from "@/components/ui/field";
import { PageHeader } from "@/components/ui/page-header";
import { EmptyState, ErrorState } from "@/components/ui/state";
import { paths } from "@/config/paths";
import { useConsole } from "@/features/console/contract";
import { useImpersonation } from "@/lib/impersonation";
import { useSearchParamsState } from "@/lib/use-search-params-state";
import { useSearchParamsText } from "@/lib/use-search-params-text";
import { CustomerDialog } from "../components/customer-dialog";
import { useClients } from "./clients-api";
import { ClientFacts } from "./client-facts";
import { SHOWN, type Client, type Show } from "./types";

const LEAD = "Everyone who booked with you, and customers you booked for.";
const LABELS: Readonly<Record<Show, string>> = {
  all: "All",
  unseen: "Not seen for 60 days",
  new: "New this month",
};

/** The people who booked with the guru. */
export function ClientsPage() {
  const [search, setSearch] = useSearchParamsText("q");
  const [params, setParams] = useSearchParamsState();
  const show = SHOWN.find((one) => one === params.get("show")) ?? "all";
  const isFiltered = show !== "all" || (params.get("q") ?? "") !== "";
  const clients = useClients(show, params.get("q") ?? "");
  const rows = clients.data?.pages.flatMap((page) => page.clients) ?? [];
  const total = clients.data?.pages[0]?.total ?? 0;

  const choose = (chosen: Show) =>
    setParams(
      (current) => {
        if (chosen === "all") current.delete("show");
        else current.set("show", chosen);
        return current;
      },
      { replace: true },
    );

  return (
    <PageHead title="Clients" description={LEAD}>
      <PageHeader title="Clients" lead={LEAD} />
      {(total > 0 || isFiltered) && (
        <ListSearch
          search={
            <Input
              type="search"
              aria-label="Search clients"
              placeholder="Name"
              value={search}
              onChange={(event) => setSearch(event.target.value)}
            />
          }
        >
          <Choices label="Show">
            {SHOWN.map((one) => (
              <Choice key={one} aria-pressed={show === one} onClick={() => choose(one)}>
                {LABELS[one]}
              </Choice>
            ))}
          </Choices>
        </ListSearch>
      )}
      {clients.isPending && <PendingList rows={4} height="5.5rem" />}
      {clients.isError && !clients.data && (
        <ErrorState
          title="We couldn't load your clients"
          message={clients.error.message}
          onRetry={() => void clients.refetch()}
          retrying={clients.isFetching}
        />
      )}
      {clients.data && rows.length === 0 && (isFiltered && total > 0 ? <NoMatch show={show} /> : <NoClients />)}
      {rows.length > 0 && (
        <DataList aria-label="Clients">
          {rows.map((client) => (
            <Row key={client.id} client={client} />
          ))}
        </DataList>
      )}
      <MoreButton list={clients} />
    </PageHead>
  );
}

function Row({ client }: { client: Client }) {
  return (
    <DataRow interactive>
      <RowText>
        <RowName>
          <RowLink to={paths.guruClient.replace(":id", client.id)}>{client.name}</RowLink>
        </RowName>
        <ClientFacts client={client} />
        <RowFacts>
          {client.isUnseen && <Badge tone="warning">{LABELS.unseen}</Badge>}
          {client.isCustomer && <Badge>No account</Badge>}
          <span>{serviceText(client.services)}</span>
        </RowFacts>
      </RowText>
    </DataRow>
  );
}

const MAX_SERVICES = 3;

/** Name up to three services, and count the others. */
function serviceText(services: readonly string[]): string {
  const more = services.length - MAX_SERVICES;
  return services.slice(0, MAX_SERVICES).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

function NoMatch({ show }: { show: Show }) {
  return (
    <EmptyState icon={Search} title="No clients match">
      {show === "unseen"
        ? "Everyone was here within the last 60 days or has a session ahead. Or try a different search."
        : "Try a different search or choose “All”."}
    </EmptyState>
  );
}

/** What to do without clients. Staff see none. */
function NoClients() {
  const { status } = useConsole();
  const impersonation = useImpersonation();
  const [isBooking, setIsBooking] = useState(false);
  if (impersonation !== null) {
    return (
      <EmptyState icon={UsersRound} title="Clients are private">
        Only the guru sees who booked and what they noted.
      </EmptyState>
    );
  }
  return (
    <>
      <EmptyState
        icon={UsersRound}
        title="No clients yet"
        action={status === "active" && <Button onClick={() => setIsBooking(true)}>Book for a customer</Button>}
      >
        When someone books with you, you&apos;ll find them here. Share your site, or book for people who call or come
        by.
      </EmptyState>
      {isBooking && <CustomerDialog onClose={() => setIsBooking(false)} />}
    </>
  );
}
