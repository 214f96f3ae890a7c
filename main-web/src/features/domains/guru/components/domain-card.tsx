import { ExternalLink, RefreshCw, Trash2 } from "lucide-react";
import { useId, useState } from "react";
import { Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { onSettled } from "@/lib/on-settled";
import { safeHref } from "@/lib/safe-href";
import { toast } from "@/lib/toast-store";
import { OverLimitBadge } from "@/features/billing/contract";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Confirm } from "@/components/ui/confirm";
import { Notice } from "@/components/ui/notice";
import { useConsole } from "@/features/console/contract";
import { Hint } from "@/components/ui/hint";
import { ButtonRow, Stack } from "@/components/ui/stack";
import { useCheckDomain } from "../api/check-domain";
import { useRemoveDomain } from "../api/remove-domain";
import { certificateText, STATUS_LABELS, STATUS_TONES, statusText } from "../lib/domain-texts";
import { DnsRecords } from "./dns-records";
import styles from "./domains.module.css";
import type { CustomDomain } from "../lib/types";
import { formatRelativeTime } from "@porchlight/shared/format/dates";

/** A custom domain: its state, the records to set, and the actions check and remove. */
export function DomainCard({ domain, onRemoved }: { domain: CustomDomain; onRemoved: () => void }) {
  const heading = useId();
  const check = useCheckDomain();
  const remove = useRemoveDomain();
  const [isAsking, setIsAsking] = useState(false);
  const needsRecords = (domain.status !== "connected" && domain.outcome !== "ok") || domain.outcome === "not_pointing";
  // The scheme and the port are those of the site's other address.
  const address = new URL(useConsole().address);
  address.hostname = domain.domain;

  return (
    <Card as="section" aria-labelledby={heading}>
      <Stack>
        <div className={styles.head}>
          <h2 id={heading} className={styles.name}>
            {domain.name}
          </h2>
          {domain.overLimit && <OverLimitBadge />}
          <Badge tone={STATUS_TONES[domain.status]}>{STATUS_LABELS[domain.status]}</Badge>
        </div>
        <p aria-live="polite">
          {statusText(domain)} {domain.outcome === "taken" && <Link to={paths.contact}>Contact us</Link>}
          {domain.checkedAt && <Hint as="span">Last checked {formatRelativeTime(domain.checkedAt)}.</Hint>}
        </p>
        {needsRecords && (
          <>
            <Hint>
              Some providers ask for the whole name, others for the host only. If yours adds the domain itself, use the
              host.
            </Hint>
            <DnsRecords label={`Record for ${domain.domain}`} records={domain.records} />
            <details className={styles.alternative} open={domain.outcome === "no_proof" || undefined}>
              <summary>
                {domain.records[0]?.type === "CNAME"
                  ? "Your provider doesn't allow a CNAME record here?"
                  : "Your provider has ALIAS or ANAME records?"}
              </summary>
              <Hint>Set these two records instead. The first is called ALIAS, ANAME or “flattened CNAME”.</Hint>
              <DnsRecords label={`Other records for ${domain.domain}`} records={domain.alternative} />
            </details>
          </>
        )}
        <dl className={styles.certificate}>
          <dt>Certificate (https)</dt>
          <dd>{certificateText(domain)}</dd>
        </dl>
        {check.error && <Notice tone="danger">{check.error.message}</Notice>}
        <ButtonRow>
          <Button
            variant={needsRecords ? "primary" : "secondary"}
            loading={check.isPending}
            onClick={() => check.mutate(domain.domain)}
          >
            {!check.isPending && <RefreshCw size={16} aria-hidden="true" />}
            Check now<span className="visually-hidden">: {domain.domain}</span>
          </Button>
          {domain.status !== "waiting" && (
            <Button asChild variant="secondary">
              <a href={safeHref(address.href)} target="_blank" rel="noopener">
                <ExternalLink size={16} aria-hidden="true" />
                Open <span className="visually-hidden">{domain.domain} (opens in a new tab)</span>
              </a>
            </Button>
          )}
          <Button variant="ghost" onClick={() => setIsAsking(true)}>
            <Trash2 size={16} aria-hidden="true" />
            Remove <span className="visually-hidden">{domain.domain}</span>
          </Button>
        </ButtonRow>
        <Confirm
          open={isAsking}
          onOpenChange={setIsAsking}
          title={`Remove ${domain.domain}?`}
          description="Visitors won't find your site at this address anymore. Your Porchlight address keeps working."
          action="Remove domain"
          busy={remove.isPending}
          onConfirm={() =>
            onSettled(
              remove.mutateAsync(domain.domain),
              () => {
                setIsAsking(false);
                toast.success("Domain removed.");
                onRemoved();
              },
              () => undefined,
            )
          }
        >
          {remove.isError && <Notice tone="danger">{remove.error.message}</Notice>}
        </Confirm>
      </Stack>
    </Card>
  );
}
