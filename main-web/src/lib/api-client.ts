import { impersonationHeaders } from "./impersonation";
import { askToVerifyEmail } from "./verify-email-store";
import { createClient, EMAIL_UNVERIFIED } from "@porchlight/shared/client";
import { createTransport } from "@porchlight/shared/transport";

type TokenSource = () => Promise<string | null>;

const noToken: TokenSource = () => Promise.resolve(null);
let tokenSource = noToken;
let tokenRenewal = noToken;

/** Set the function that returns the ID token of the signed-in user. */
export function setTokenSource(source: TokenSource) {
  tokenSource = source;
}

/** Set the function that returns a new ID token after the server rejected one, or null to give up. */
export function setTokenRenewal(renewal: TokenSource) {
  tokenRenewal = renewal;
}

/** The client of the product's API, authenticated as the signed-in user. */
export const api = createClient({
  base: "/api",
  getToken: () => tokenSource(),
  renewToken: () => tokenRenewal(),
  extraHeaders: impersonationHeaders,
  onErrorResponse: ({ code }) => code === EMAIL_UNVERIFIED && askToVerifyEmail(),
});

/** The API without the signed-in user, and with answers and errors as they arrive. */
export const plainApi = createTransport("/api");

/** Create an API client that sends this token and does not renew it. */
export const createApiWithToken = (token: string) =>
  createClient({ base: "/api", getToken: () => Promise.resolve(token) });
