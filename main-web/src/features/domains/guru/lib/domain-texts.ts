import type { CustomDomain } from "./types";
import { formatDate } from "@porchlight/shared/format/dates";

const GRACE_MS = 7 * 24 * 60 * 60_000;

export const STATUS_LABELS = { waiting: "Waiting for DNS", connected: "Connected", failing: "Needs attention" };
export const STATUS_TONES = { waiting: "warning", connected: "good", failing: "danger" } as const;

/** Say how a domain is doing and what to do next. */
export function statusText(domain: CustomDomain): string {
  if (domain.isProvenByOperator) return "Our team connected this domain.";
  const text = outcomeText(domain);
  if (domain.isCertificateOverdue && domain.outcome === "ok")
    return "Visitors can't open your site at this address yet.";
  if (domain.status !== "failing" || domain.failingSince === null) return text;
  const until = new Date(Date.parse(domain.failingSince) + GRACE_MS).toISOString();
  return `${text} Set the record below by ${formatDate(until)}, or we'll disconnect this domain.`;
}

function outcomeText({ name: domain, outcome, found, status }: CustomDomain): string {
  switch (outcome) {
    case null:
      return "Set the record below at the company where you bought the domain. Then check it here.";
    case "ok":
      return status === "waiting" ? "We found your record." : "Visitors see your site at this address.";
    case "no_record":
      return `We can't find a record for ${domain} yet. DNS changes can take a few hours.`;
    case "other_target":
      return `${domain} points to ${found}. Change its record to the one below.`;
    case "not_pointing":
      return found
        ? `We know that ${domain} is yours, but it points to ${found}. Change its record to the one below.`
        : `We know that ${domain} is yours. It doesn't point here yet: set the other record, too.`;
    case "no_proof":
      return `${domain} points here. Add the TXT record below, so that we know it's yours.`;
    case "mixed":
      return `Some visitors of ${domain} don't reach your site: it also has a record that points to ${found}. Remove that one.`;
    case "caa":
      return `A CAA record forbids the certificate (${found}). Add a CAA record with the value 0 issue "letsencrypt.org", or remove it.`;
    case "doubled":
      return `We found your record under the name ${found}. Your provider adds the domain itself, so enter only the part before it.`;
    case "taken":
      return "This domain is connected to another site. If it's yours, contact us.";
    case "dns_down":
      return "DNS isn't responding right now. We'll check again soon.";
  }
}

/** Say whether the site has a certificate for a domain. */
export function certificateText(domain: CustomDomain, now = Date.now()): string {
  const { status, certificateUntil, outcome, isCertificateOverdue } = domain;
  if (status === "waiting") return "We get one as soon as the domain is connected.";
  if (isCertificateOverdue)
    return outcome === "ok"
      ? "We couldn't get one for over an hour. If your domain is behind a proxy, turn the proxy off. We try again every hour."
      : "We couldn't get one for over an hour, because of the record named above. We try again every hour.";
  if (certificateUntil === null) return "On its way. This can take a few minutes.";
  if (Date.parse(certificateUntil) <= now)
    return `Expired on ${formatDate(certificateUntil)}. Check again to renew it.`;
  return `Valid until ${formatDate(certificateUntil)}. It renews by itself.`;
}
