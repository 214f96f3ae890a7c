export { MATCHES_KEY, useMatches } from "./api/get-matches";
export { MATCHES_ADDRESS } from "./lib/labels";
