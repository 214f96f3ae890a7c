/** Forget the drafts and unsent messages of everyone who signs out here (features/messages/lib/outbox). */
export function forgetKeptMessages() {
  try {
    for (const key of Object.keys(localStorage)) {
      if (key.startsWith("porchlight.messages.")) localStorage.removeItem(key);
    }
  } catch {
    // Without storage nothing was kept.
  }
}
