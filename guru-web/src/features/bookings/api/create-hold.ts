import { api } from "../../../lib/api-client";

export type CreateHoldResult = { kind: "held"; token: string } | { kind: "failed"; code: string; message: string };

/** SPEC 8.2. */
const RATE_LIMITED = "Too many requests. Please wait a moment and try again.";
const FAILED = "We couldn't keep this time. Check your connection and try again.";
const TIMEOUT_MS = 15_000;
const STORAGE_KEY = "porchlight.hold";

/**
 * Keep a time for ten minutes. A resend with the same key keeps it once. A time that this tab kept before is given up,
 * so that people who compare times do not run out of holds.
 */
export async function createHold(
  subdomain: string,
  serviceId: string,
  startsAt: string,
  party: number,
  key: string,
): Promise<CreateHoldResult> {
  await releaseEarlierHold();
  try {
    const { data, error, response } = await api.POST("/gurus/{subdomain}/holds", {
      params: { path: { subdomain } },
      headers: { "idempotency-key": key },
      body: { serviceId, startsAt, party },
      // No user owns the hold until it is booked on the main site, the only one that accepts the session cookie.
      credentials: "omit",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (data) {
      const { token } = data.data;
      store(token);
      return { kind: "held", token };
    }
    if (response.status === 429) return { kind: "failed", code: "rate_limited", message: RATE_LIMITED };
    const { code, message } = error.error;
    return { kind: "failed", code, message: (response.status < 500 && message) || FAILED };
  } catch {
    return { kind: "failed", code: "network", message: FAILED };
  }
}

async function releaseEarlierHold(): Promise<void> {
  let token: string | null = null;
  try {
    token = sessionStorage.getItem(STORAGE_KEY);
    sessionStorage.removeItem(STORAGE_KEY);
  } catch {
    // Session storage is blocked: the earlier hold expires by itself.
  }
  if (token === null) return;
  const options = { credentials: "omit", signal: AbortSignal.timeout(TIMEOUT_MS) } as const;
  await api.DELETE("/holds/{token}", { params: { path: { token } }, ...options }).catch(() => undefined);
}

function store(token: string): void {
  try {
    sessionStorage.setItem(STORAGE_KEY, token);
  } catch {
    // See above.
  }
}
