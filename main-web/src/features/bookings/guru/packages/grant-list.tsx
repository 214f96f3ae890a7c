import { Ticket } from "lucide-react";
import { useState } from "react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Choice, Choices } from "@/components/ui/choices";
import { DataList, DataRow, MoreButton, PendingList, RowFacts, RowName, RowText } from "@/components/ui/data-list";
import { Stack } from "@/components/ui/stack";
import { EmptyState, ErrorState } from "@/components/ui/state";
import { personName } from "@/lib/person-name";
import { leftText, paidPackageText } from "../../lib/package-texts";
import { useGrants } from "./packages-api";
import type { When } from "./types";

const LABELS: Readonly<Record<When, string>> = { current: "With sessions left", past: "Used up or over" };

/** The people who have packages: with sessions left, or used up or over. */
export function GrantList({ onOpen }: { onOpen: (id: string) => void }) {
  const [when, setWhen] = useState<When>("current");
  const grants = useGrants(when);
  const rows = grants.data?.pages.flatMap((page) => page.grants) ?? [];
  return (
    <Stack close>
      <Choices label="Which packages">
        {(["current", "past"] as const).map((one) => (
          <Choice key={one} aria-pressed={when === one} onClick={() => setWhen(one)}>
            {LABELS[one]}
          </Choice>
        ))}
      </Choices>
      {grants.isPending && <PendingList rows={2} height="5rem" />}
      {grants.isError && !grants.data && (
        <ErrorState
          title="We couldn't load who has packages"
          message={grants.error.message}
          onRetry={() => void grants.refetch()}
          retrying={grants.isFetching}
        />
      )}
      {grants.data && rows.length === 0 && (
        <EmptyState icon={Ticket} title={when === "current" ? "No one has a package" : "None yet"} />
      )}
      {rows.length > 0 && (
        <DataList aria-label="People with packages">
          {rows.map((grant) => (
            <DataRow key={grant.id}>
              <RowText>
                <RowName as="h3">{personName(grant)}</RowName>
                <p>
                  {grant.name}, {grant.serviceName}
                </p>
                <RowFacts>
                  <span>{leftText(grant)}</span>
                  {grant.paidCents > 0 && <span>{paidPackageText(grant)}</span>}
                  {grant.disputed && <Badge tone="warning">The bank decides</Badge>}
                  {grant.isCustomer && <Badge tone="neutral">No account</Badge>}
                </RowFacts>
              </RowText>
              <Button
                size="sm"
                variant="secondary"
                aria-label={`Details of ${grant.name} of ${personName(grant)}`}
                onClick={() => onOpen(grant.id)}
              >
                Details
              </Button>
            </DataRow>
          ))}
        </DataList>
      )}
      <MoreButton list={grants} />
    </Stack>
  );
}
