import type { AdminSessionData } from "@/features/admin/lib/types";

/** Sessions of tests: of a shared key, and of a named one. */
export const SHARED_KEY: AdminSessionData = { name: "key-1a2b3c4d", shared: true };
export const MAYA: AdminSessionData = { name: "Maya Lindqvist", shared: false };
