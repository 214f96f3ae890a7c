import { leadDetailNames } from "@porchlight/shared/lead-details";

import { type Lead, type LeadErrors, leadFields } from "../lib/lead";

export type CreateLeadResult =
  | { kind: "sent"; message: string }
  | { kind: "rejected"; message: string; errors: LeadErrors }
  | { kind: "failed"; message: string };

interface LeadResponse {
  success?: boolean;
  message?: string;
  error?: { message?: string; fields?: Record<string, string> };
}

/** SPEC 8.1. */
const FAILED = "Failed to submit lead";
/** SPEC 8.2. */
const RATE_LIMITED = "Too many requests. Please wait a moment and try again.";
const TIMEOUT_MS = 20_000;

/** Send a lead. Repeating a request with the same key creates one lead only. */
export async function createLead(subdomain: string, lead: Lead, key: string, page: string): Promise<CreateLeadResult> {
  let response: Response;
  let body: LeadResponse;
  try {
    response = await fetch(`/api/gurus/${encodeURIComponent(subdomain)}/leads`, {
      method: "POST",
      headers: { "content-type": "application/json", "idempotency-key": key },
      body: JSON.stringify(leadPayload(lead, page)),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    body = (await response.json()) as LeadResponse;
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
