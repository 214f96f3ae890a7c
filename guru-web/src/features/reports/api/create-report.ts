import type { components } from "@porchlight/shared/api.gen";
import { PROOF_HEADER, solveProofOfWork } from "@porchlight/shared/proof-of-work";

import { api } from "../../../lib/api-client";

/** `website` is a honeypot field: people leave it empty. */
export type Report = components["schemas"]["ReportPayload"];

export type CreateReportResult = { isSent: true } | { isSent: false; message: string; errors: Record<string, string> };

const FAILED = "Your report could not be sent. Please check your connection.";
const SERVER_FAILED = "Your report could not be sent. Please try again later.";
const TIMEOUT_MS = 20_000;

/**
 * Send a report. Repeating a request with the same key creates one report only. In a flood of reports, the API asks for a
 * proof of work, which takes about a second; `onCheck` is called before.
 */
export async function createReport(report: Report, key: string, onCheck: () => void): Promise<CreateReportResult> {
  try {
    let { data, error, response } = await postReport(report, { "idempotency-key": key });
    const challenge = error?.error.challenge;
    if (response.status === 429 && challenge) {
      onCheck();
      const headers = { "idempotency-key": key, [PROOF_HEADER]: await solveProofOfWork(challenge) };
      ({ data, error, response } = await postReport(report, headers));
    }
    if (data?.success) return { isSent: true };
    if (!error || response.status >= 500) return { isSent: false, message: SERVER_FAILED, errors: {} };
    return { isSent: false, message: error.error.message || SERVER_FAILED, errors: error.error.fields ?? {} };
  } catch {
    return { isSent: false, message: FAILED, errors: {} };
  }
}

function postReport(report: Report, headers: Record<string, string>) {
  return api.POST("/reports", { headers, body: report, signal: AbortSignal.timeout(TIMEOUT_MS) });
}
