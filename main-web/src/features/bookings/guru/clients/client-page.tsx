import { useState } from "react";
import { useParams } from "react-router-dom";
import { BackLink } from "@/components/ui/back-link";
import { TwoColumns } from "@/components/ui/two-columns";
import { PageHead } from "@/components/layout/page-head";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { RowFacts } from "@/components/ui/data-list";
import { PageHeader, PageTitle } from "@/components/ui/page-header";
import { Skeleton } from "@/components/ui/skeleton";
import { ButtonRow, Stack } from "@/components/ui/stack";
import { ErrorState } from "@/components/ui/state";
import { paths } from "@/config/paths";
import { useConsole } from "@/features/console/contract";
import { MessageLink } from "@/features/messages/contract";
import { useSearchParamsState } from "@/lib/use-search-params-state";
import { BookingDialog } from "../components/booking-dialog";
import { CustomerDialog } from "../components/customer-dialog";
import { useClient } from "./clients-api";
import { ClientFacts } from "./client-facts";
import { ClientHistory } from "./client-history";
import { ClientNoteForm } from "./client-note-form";
import styles from "./client-page.module.css";
import type { ClientDetails } from "./types";
import { ApiError } from "@porchlight/shared/client";

/** One client: the sessions, and what the guru noted. `?booking=` opens one of the sessions. */
export function ClientPage() {
  const { id = "" } = useParams();
  const client = useClient(id);
  const isMissing = client.error instanceof ApiError && client.error.status === 404;
  return (
    <PageHead title={client.data?.name ?? "Client"} description="A person who booked with you.">
      <BackLink to={paths.guruClients}>Clients</BackLink>
      {client.isPending && (
        <Stack aria-busy="true">
          <Skeleton width="40%" height="2.5rem" radius="md" />
          <Skeleton height="12rem" radius="md" />
        </Stack>
      )}
      {client.isError && !client.data && (
        <>
          <PageTitle>{isMissing ? "Client not found" : "Client"}</PageTitle>
          <ErrorState
            title={isMissing ? "We couldn't find this client" : "We couldn't load this client"}
            message={isMissing ? "They may have deleted their account." : client.error.message}
            {...(!isMissing && { onRetry: () => void client.refetch(), retrying: client.isFetching })}
          />
        </>
      )}
      {client.data && <Details key={client.data.id} client={client.data} />}
    </PageHead>
  );
}

function Details({ client }: { client: ClientDetails }) {
  const { status } = useConsole();
  const [params, setParams] = useSearchParamsState();
  const booking = params.get("booking") ?? "";
  const [isBooking, setIsBooking] = useState(false);

  const open = (id: string) =>
    setParams(
      (current) => {
        if (id) current.set("booking", id);
        else current.delete("booking");
        return current;
      },
      { replace: true },
    );

  return (
    <>
      <PageHeader
        title={client.name}
        more={
          <>
            <ClientFacts client={client} />
            {(client.isUnseen || client.isCustomer) && (
              <RowFacts>
                {client.isUnseen && <Badge tone="warning">Not seen for 60 days</Badge>}
                {client.isCustomer && <Badge>No account</Badge>}
                {client.email && <span className={styles.email}>{client.email}</span>}
              </RowFacts>
            )}
          </>
        }
      >
        <ButtonRow>
          {client.isCustomer ? (
            status === "active" && (
              <Button variant="secondary" size="sm" onClick={() => setIsBooking(true)}>
                Book for this client
              </Button>
            )
          ) : (
            <MessageLink to={{ kind: "booking", id: client.latestBookingId }} name={client.name} side="guru" />
          )}
        </ButtonRow>
      </PageHeader>
      <TwoColumns>
        <ClientHistory clientId={client.id} onOpen={open} />
        <ClientNoteForm client={client} />
      </TwoColumns>
      {isBooking && <CustomerDialog client={client} onClose={() => setIsBooking(false)} />}
      {booking && <BookingDialog key={booking} id={booking} onClose={() => open("")} />}
    </>
  );
}
