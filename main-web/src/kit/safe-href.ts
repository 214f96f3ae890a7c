/** The address if it is plain http(s), else "#": links come from the API, and `javascript:` must never be one. */
export function safeHref(url: string): string {
  try {
    return /^https?:$/.test(new URL(url, window.location.origin).protocol) ? url : "#";
  } catch {
    return "#";
  }
}
