/** Stop notes to this browser. Signed out, it must not show what happens to the person who left. Never rejects. */
export async function endPush(): Promise<void> {
  try {
    const registration = await navigator.serviceWorker.getRegistration();
    await (await registration?.pushManager.getSubscription())?.unsubscribe();
  } catch {
    // a browser without service workers or push has no notes
  }
}
