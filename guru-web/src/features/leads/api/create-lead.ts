import { leadDetailNames } from "@porchlight/shared/lead-details";
import { PROOF_HEADER, solveProofOfWork } from "@porchlight/shared/proof-of-work";

import { type Lead, type LeadErrors, leadFields } from "../lib/lead";

export type CreateLeadResult =
  | { kind: "sent"; message: string }
  | { kind: "rejected"; message: string; errors: LeadErrors }
  | { kind: "failed"; message: string };

interface LeadResponse {
  success?: boolean;
  message?: string;
  error?: { message?: string; fields?: Record<string, string>; challenge?: string };
}

/** SPEC 8.1. */
const FAILED = "Failed to submit lead";
/** SPEC 8.2. */
const RATE_LIMITED = "Too many requests. Please wait a moment and try again.";
const TIMEOUT_MS = 20_000;

/**
 * Send a lead. Repeating a request with the same key creates one lead only. While the guru gets a flood of messages, the
 * API asks for a proof of work, which takes about a second; `onCheck` is called before.
 */
export async function createLead(
  subdomain: string,
  lead: Lead,
  key: string,
  page: string,
  onCheck: () => void,
): Promise<CreateLeadResult> {
  let response: Response;
  let body: LeadResponse;
  try {
    [response, body] = await postLead(subdomain, lead, page, { "idempotency-key": key });
    if (response.status === 429 && body.error?.challenge !== undefined) {
      onCheck();
      const proof = await solveProofOfWork(body.error.challenge);
      [response, body] = await postLead(subdomain, lead, page, { "idempotency-key": key, [PROOF_HEADER]: proof });
    }
  } catch {
    return { kind: "failed", message: FAILED };
  }
  if (response.ok && body.success === true) return { kind: "sent", message: body.message ?? "" };
  if (response.status === 429) return { kind: "failed", message: RATE_LIMITED };
  if (response.status >= 500) return { kind: "failed", message: FAILED };
  const errors: LeadErrors = {};
  for (const field of leadFields) {
    const text = body.error?.fields?.[field];
    if (text !== undefined) errors[field] = text;
  }
  return { kind: "rejected", message: body.error?.message ?? body.message ?? FAILED, errors };
}

async function postLead(
  subdomain: string,
  lead: Lead,
  page: string,
  headers: Record<string, string>,
): Promise<[Response, LeadResponse]> {
  const response = await fetch(`/api/gurus/${encodeURIComponent(subdomain)}/leads`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(leadPayload(lead, page)),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  return [response, (await response.json()) as LeadResponse];
}

function leadPayload(lead: Lead, page: string): Record<string, unknown> {
  return {
    name: lead.name.trim(),
    email: lead.email.trim(),
    message: lead.message.trim(),
    ...Object.fromEntries(
      leadDetailNames.map((name) => [name, lead[name].trim()] as const).filter(([, value]) => value !== ""),
    ),
    ...(lead.serviceId === "" ? {} : { serviceId: lead.serviceId }),
    consent: lead.consent,
    website: lead.website,
    page,
  };
}
