import { Mail, Phone } from "lucide-react";
import { RecipientLink } from "@/features/messages/contract";
import { useFlag } from "@/lib/feature-flags";
import { Card } from "@/components/ui/card";
import { Stack } from "@/components/ui/stack";
import styles from "./lead.module.css";
import type { ConsoleLead } from "../lib/types";
import { leadDetailNames, leadDetails, type LeadDetailName } from "@porchlight/shared/lead-details";
import { mailtoUrl } from "@porchlight/shared/email-address";

/** What a visitor wrote, and how to reach them. */
export function LeadMessage({ lead }: { lead: ConsoleLead }) {
  // Only who confirmed the address can be a neighbor with an account.
  const canBeNeighbor = useFlag("messaging") && lead.addressState === "confirmed";
  return (
    <Card as="section" aria-labelledby="lead-message">
      <Stack>
        <h2 id="lead-message" className={styles.small}>
          Message
        </h2>
        <p className={styles.body}>{lead.message}</p>
        <p className={styles.contact}>
          <span>
            <Mail size={16} aria-hidden="true" />
            <a className="tap-link" href={mailtoUrl(lead.email)}>
              {lead.email}
            </a>
          </span>
          {leadDetailNames.map((name) => lead[name] && <LeadDetail key={name} name={name} value={lead[name]} />)}
        </p>
        {canBeNeighbor && (
          <div>
            <RecipientLink to={{ kind: "lead", id: lead.id }} name={lead.name} side="guru" />
          </div>
        )}
      </Stack>
    </Card>
  );
}

function LeadDetail({ name, value }: { name: LeadDetailName; value: string }) {
  const { label, type } = leadDetails[name];
  if (type === "tel") {
    return (
      <span>
        <Phone size={16} aria-hidden="true" />
        <a href={`tel:${value.replace(/[^0-9+]/g, "")}`}>{value}</a>
      </span>
    );
  }
  return (
    <span>
      {label}: {value}
    </span>
  );
}
