const SHARED_KEY = /^key-[0-9a-f]{4,}$/;

/** Return how an actor of the audit log is shown: staff by name, keys of the settings as "Shared key". */
export function actorName(actor: string): string {
  return SHARED_KEY.test(actor) ? "Shared key" : actor;
}
