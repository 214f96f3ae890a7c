import type { components } from "@porchlight/shared/api.gen";
import { leadDetailNames } from "@porchlight/shared/lead-details";
import { PROOF_HEADER, solveProofOfWork } from "@porchlight/shared/proof-of-work";

import { api } from "../../../lib/api-client";
import { type Lead, type LeadErrors, leadFields } from "../lib/lead";

export type CreateLeadResult =
  | { kind: "sent"; message: string }
  | { kind: "rejected"; message: string; errors: LeadErrors }
  | { kind: "failed"; message: string };

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
  try {
    let { data, error, response } = await postLead(subdomain, lead, page, { "idempotency-key": key });
    const challenge = error?.error.challenge;
    if (response.status === 429 && challenge) {
      onCheck();
      const headers = { "idempotency-key": key, [PROOF_HEADER]: await solveProofOfWork(challenge) };
      ({ data, error, response } = await postLead(subdomain, lead, page, headers));
    }
    if (data?.success) return { kind: "sent", message: data.message };
    if (response.status === 429) return { kind: "failed", message: RATE_LIMITED };
    if (!error || response.status >= 500) return { kind: "failed", message: FAILED };
    const { message, fields } = error.error;
    const errors: LeadErrors = {};
    for (const field of leadFields) {
      const text = fields?.[field];
      if (text !== undefined) errors[field] = text;
    }
    return { kind: "rejected", message: message || FAILED, errors };
  } catch {
    return { kind: "failed", message: FAILED };
  }
}

function postLead(subdomain: string, lead: Lead, page: string, headers: Record<string, string>) {
  return api.POST("/gurus/{subdomain}/leads", {
    params: { path: { subdomain } },
    headers,
    body: leadPayload(lead, page),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
}

function leadPayload(lead: Lead, page: string): components["schemas"]["LeadPayload"] {
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
