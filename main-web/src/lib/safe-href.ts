/** Return the URL if it is http(s), else "#": URLs from the API must never become `javascript:` links. */
export function safeHref(url: string): string {
  try {
    return /^https?:$/.test(new URL(url, window.location.origin).protocol) ? url : "#";
  } catch {
    return "#";
  }
}
