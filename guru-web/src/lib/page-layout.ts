const standalonePages = new Set(["/404", "/_error"]);
const pagesWithoutLayout = new Set([...standalonePages, "/login", "/signup", "/dashboard", "/skills", "/angels-list"]);

/** Whether a page has the site's header and footer. */
export function hasLayout(page: string): boolean {
  return !pagesWithoutLayout.has(page);
}

/** Whether a page needs no data from the API. */
export function isStandalone(page: string): boolean {
  return standalonePages.has(page);
}
