import { PROOF_HEADER, solveProofOfWork } from "@porchlight/shared/proof-of-work";

export interface Report {
  kind: "site" | "post";
  /** The guru's label, or "label/slug" of a post. */
  name: string;
  reason: string;
  details: string;
  /** Honeypot field: people leave it empty. */
  website: string;
}

export type CreateReportResult = { isSent: true } | { isSent: false; message: string; errors: Record<string, string> };

interface ReportResponse {
  success?: boolean;
  error?: { message?: string; fields?: Record<string, string>; challenge?: string };
}

const FAILED = "Your report could not be sent. Please check your connection.";
const SERVER_FAILED = "Your report could not be sent. Please try again later.";
const TIMEOUT_MS = 20_000;

/**
 * Send a report. Repeating a request with the same key creates one report only. In a flood of reports, the API asks for a
 * proof of work, which takes about a second; `onCheck` is called before.
 */
export async function createReport(report: Report, key: string, onCheck: () => void): Promise<CreateReportResult> {
  try {
    let [response, body] = await postReport(report, { "idempotency-key": key });
    if (response.status === 429 && body.error?.challenge !== undefined) {
      onCheck();
      const proof = await solveProofOfWork(body.error.challenge);
      [response, body] = await postReport(report, { "idempotency-key": key, [PROOF_HEADER]: proof });
    }
    if (response.ok && body.success === true) return { isSent: true };
    if (response.status >= 500) return { isSent: false, message: SERVER_FAILED, errors: {} };
    return { isSent: false, message: body.error?.message ?? SERVER_FAILED, errors: body.error?.fields ?? {} };
  } catch {
    return { isSent: false, message: FAILED, errors: {} };
  }
}

async function postReport(report: Report, headers: Record<string, string>): Promise<[Response, ReportResponse]> {
  const response = await fetch("/api/reports", {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(report),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  return [response, (await response.json()) as ReportResponse];
}
