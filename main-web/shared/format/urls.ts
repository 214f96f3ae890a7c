/** Format a URL without its scheme. */
export const displayUrl = (url: string) => url.replace(/^https?:\/\//, "");
