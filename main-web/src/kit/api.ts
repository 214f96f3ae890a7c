import { lookingHeaders } from "./looking-as";
import { createClient } from "@porchlight/shared/client";

type TokenSource = () => Promise<string | null>;

const nobody: TokenSource = () => Promise.resolve(null);
let tokenSource = nobody;
let tokenRenewal = nobody;

/** Tells the client where ID tokens come from; the session does so when someone is signed in. */
export function setTokenSource(source: TokenSource) {
  tokenSource = source;
}

/** Tells the client what to do about a token that was refused. */
export function setTokenRenewal(renewal: TokenSource) {
  tokenRenewal = renewal;
}

/** The product's API. */
export const api = createClient({
  base: "/api",
  getToken: () => tokenSource(),
  renewToken: () => tokenRenewal(),
  extraHeaders: lookingHeaders,
});

/** The API for who holds this token, and nothing done about its refusal. */
export const apiWith = (token: string) => createClient({ base: "/api", getToken: () => Promise.resolve(token) });
