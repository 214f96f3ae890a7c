import type { components } from "@porchlight/shared/api.gen";

/** An image that the guru uploaded for their site. */
export type SiteImage = components["schemas"]["ConsoleImage"];
