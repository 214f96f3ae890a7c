import { createClient } from "@porchlight/shared/client";

type TokenSource = () => Promise<string | null>;

let tokenSource: TokenSource = () => Promise.resolve(null);

/** Tells the client where ID tokens come from; the session does so when someone is signed in. */
export function setTokenSource(source: TokenSource) {
  tokenSource = source;
}

/** The product's API. */
export const api = createClient({ base: "/api", getToken: () => tokenSource() });
