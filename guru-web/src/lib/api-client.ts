import { createTransport } from "@porchlight/shared/transport";

/** The client of the product's API. Pages of guru sites say in their own words what failed. */
export const api = createTransport("/api");
