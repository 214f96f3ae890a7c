import { Globe } from "lucide-react";
import { useRef } from "react";
import { PageHead } from "@/components/layout/page-head";
import { Skeleton } from "@/components/ui/skeleton";
import { EmptyState, ErrorState } from "@/components/ui/state";
import { PageLead, PageTitle } from "@/components/ui/page-header";
import { Stack } from "@/components/ui/stack";
import { Hint } from "@/components/ui/hint";
import { useDomains } from "../api/get-domains";
import { DomainCard } from "../components/domain-card";
import { DomainForm } from "../components/domain-form";
import { MainAddressForm } from "../components/main-address-form";
import { pluralize } from "@porchlight/shared/format/numbers";

const DESCRIPTION = "Show your site at a web address of your own.";

/** The custom domains of the guru's site. */
export function DomainsPage() {
  const domains = useDomains();
  const title = useRef<HTMLHeadingElement>(null);
  const list = domains.data?.domains ?? [];
  const isFull = domains.data !== undefined && list.length >= domains.data.maxDomains;

  return (
    <PageHead title="Domains" description={DESCRIPTION}>
      <header>
        <PageTitle ref={title} tabIndex={-1}>
          Domains
        </PageTitle>
        <PageLead>{DESCRIPTION} Buy one from any provider, then connect it here.</PageLead>
      </header>
      {!domains.isFetched && (
        <Stack aria-busy="true">
          <Skeleton height="9rem" radius="md" />
          <Skeleton height="14rem" radius="md" />
        </Stack>
      )}
      {domains.isFetched && !domains.data && domains.error && (
        <ErrorState
          title="We couldn't load your domains"
          message={domains.error.message}
          onRetry={() => void domains.refetch()}
          retrying={domains.isFetching}
        />
      )}
      {domains.data && (
        <>
          {isFull ? (
            <Hint>
              You've added {pluralize(domains.data.maxDomains, "domain")}, which is as many as a site can have. Remove
              one to add another.
            </Hint>
          ) : (
            <DomainForm />
          )}
          {list.length === 0 && (
            <EmptyState icon={Globe} title="No domains yet">
              Your Porchlight address keeps working either way.
            </EmptyState>
          )}
          {list.some(({ status, overLimit }) => status !== "waiting" && !overLimit) && (
            <MainAddressForm domains={list} mainAddress={domains.data.mainAddress} />
          )}
          {list.map((domain) => (
            <DomainCard key={domain.domain} domain={domain} onRemoved={() => title.current?.focus()} />
          ))}
        </>
      )}
    </PageHead>
  );
}
