/** The service worker's caches that pages fill too. This module imports nothing. */
export const caches = {
  /** Files of opened pages, under content-hashed names. */
  opened: "opened-screens",
  configuration: "configuration",
} as const;
