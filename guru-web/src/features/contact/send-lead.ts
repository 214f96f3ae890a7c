import { type Lead, type LeadErrors, leadFields } from "./lead";

export type LeadAnswer =
  | { kind: "sent"; message: string }
  | { kind: "refused"; message: string; errors: LeadErrors }
  | { kind: "failed"; message: string };

interface Answer {
  success?: boolean;
  message?: string;
  error?: { message?: string; fields?: Record<string, string> };
}

/** SPEC 8.1. */
const FAILED = "Failed to submit lead";
/** SPEC 8.2. */
const LIMITED = "Too many requests. Please wait a moment and try again.";
const TIMEOUT_MS = 20_000;

/** Sends a lead. The same key sent twice stores it once. */
export async function sendLead(subdomain: string, lead: Lead, key: string, page: string): Promise<LeadAnswer> {
  let response: Response;
  let answer: Answer;
  try {
    response = await fetch(`/api/gurus/${encodeURIComponent(subdomain)}/leads`, {
      method: "POST",
      headers: { "content-type": "application/json", "idempotency-key": key },
      body: JSON.stringify(body(lead, page)),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    answer = (await response.json()) as Answer;
  } catch {
    return { kind: "failed", message: FAILED };
  }
  if (response.ok && answer.success === true) return { kind: "sent", message: answer.message ?? "" };
  if (response.status === 429) return { kind: "failed", message: LIMITED };
  if (response.status >= 500) return { kind: "failed", message: FAILED };
  const errors: LeadErrors = {};
  for (const field of leadFields) {
    const words = answer.error?.fields?.[field];
    if (words !== undefined) errors[field] = words;
  }
  return { kind: "refused", message: answer.error?.message ?? answer.message ?? FAILED, errors };
}

function body(lead: Lead, page: string): Record<string, unknown> {
  return {
    name: lead.name.trim(),
    email: lead.email.trim(),
    message: lead.message.trim(),
    ...(lead.phone.trim() === "" ? {} : { phone: lead.phone.trim() }),
    ...(lead.serviceId === "" ? {} : { serviceId: lead.serviceId }),
    consent: lead.consent,
    website: lead.website,
    page,
  };
}
