import { Unlink } from "lucide-react";
import { Link, useLocation, useParams } from "react-router-dom";
import { paths } from "@/config/paths";
import { PageHead } from "@/components/layout/page-head";
import { ReportButton } from "@/features/reports/contract";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Notice } from "@/components/ui/notice";
import { LoadingBlock } from "@/components/ui/skeleton";
import { EmptyState, ErrorState } from "@/components/ui/state";
import { useFlag } from "@/lib/feature-flags";
import { useLeadAddress, type LeadAddress } from "../api/get-lead-address";
import { useUpdateLeadAddress } from "../api/update-lead-address";
import styles from "./lead-address-page.module.css";
import { ApiError } from "@porchlight/shared/client";

/**
 * The page of the link in a site's emails: the owner of the address says whether they wrote to the site.
 * Opening it changes nothing, because mail scanners open links too.
 */
export function LeadAddressPage() {
  const { token = "" } = useParams();
  const address = useLeadAddress(token);
  const isUnknown = address.error instanceof ApiError && address.error.status === 404;
  const title = isUnknown
    ? "Link not found"
    : address.data
      ? `Did you write to ${address.data.site}?`
      : "Did you write to this site?";
  return (
    <PageHead title={title} description="Tell us whether you want email from this site.">
      <div className={`container ${styles.page}`} aria-busy={address.isPending}>
        <h1 className={styles.title}>{title}</h1>
        {address.isPending && <LoadingBlock height="12rem" />}
        {isUnknown && (
          <EmptyState icon={Unlink} title="We don't know this link">
            Please copy the whole link from the email. A link stops working when its site is deleted.
          </EmptyState>
        )}
        {address.isError && !address.data && !isUnknown && (
          <ErrorState
            title="We couldn't load this page"
            message={address.error.message}
            onRetry={() => void address.refetch()}
            retrying={address.isFetching}
          />
        )}
        {address.data && !isUnknown && <Question key={token} token={token} address={address.data} />}
      </div>
    </PageHead>
  );
}

function Question({ token, address }: { token: string; address: LeadAddress }) {
  const update = useUpdateLeadAddress(token);
  const { site, state } = address;
  return (
    <>
      <Card className={styles.card}>
        <p>Someone used your email address in the contact form of {site}.</p>
        {state === "confirmed" && <Notice tone="success">Thanks! {site} can answer you by email.</Notice>}
        {state === "blocked" && (
          <Notice tone="success">Thanks for telling us. We won't send you email from {site} anymore.</Notice>
        )}
        {update.isError && <Notice tone="danger">{update.error.message}</Notice>}
        <div className={styles.buttons}>
          {(["confirmed", "blocked"] as const).map((answer) => (
            <Button
              key={answer}
              variant="secondary"
              aria-pressed={state === answer}
              disabled={update.isPending}
              loading={update.isPending && update.variables === answer}
              onClick={() => update.mutate(answer)}
            >
              {answer === "confirmed" ? "Yes, that was me" : "This wasn't me"}
            </Button>
          ))}
        </div>
      </Card>
      <Report address={address} />
    </>
  );
}

function Report({ address }: { address: LeadAddress }) {
  const { hash } = useLocation();
  const isOn = useFlag("systemReports");
  return (
    <footer className={styles.report}>
      <p>Is something wrong with the email or the site?</p>
      {isOn ? (
        <ReportButton
          subject={{ kind: "site", name: address.label }}
          title={address.site}
          startsOpen={hash === "#report"}
        />
      ) : (
        <Link to={paths.contact}>Contact us</Link>
      )}
    </footer>
  );
}
