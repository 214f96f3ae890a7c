import { Globe } from "lucide-react";
import { useRef } from "react";
import { Page } from "@/components/layout/page";
import { Skeleton } from "@/components/ui/skeleton";
import { EmptyState, ErrorState } from "@/components/ui/state";
import styles from "@/components/console.module.css";
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
    <Page title="Domains" description={DESCRIPTION}>
      <header>
        <h1 ref={title} tabIndex={-1} className={styles.title}>
          Domains
        </h1>
        <p className={styles.lead}>{DESCRIPTION} Buy one from any provider, then connect it here.</p>
      </header>
      {!domains.isFetched && (
        <div className={styles.section} aria-busy="true">
          <Skeleton height="9rem" radius="md" />
          <Skeleton height="14rem" radius="md" />
        </div>
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
            <p className={styles.hint}>
              You've added {pluralize(domains.data.maxDomains, "domain")}, which is as many as a site can have. Remove
              one to add another.
            </p>
          ) : (
            <DomainForm />
          )}
          {list.length === 0 && (
            <EmptyState icon={Globe} title="No domains yet">
              Your Porchlight address works without one, and keeps working with one.
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
    </Page>
  );
}
