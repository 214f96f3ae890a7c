/** Pages that stand alone: no header, no footer. */
const bare = new Set(["/404", "/_error", "/login", "/signup", "/dashboard", "/skills", "/angels-list"]);

export function isBare(page: string): boolean {
  return bare.has(page);
}

/** Pages that need nothing from the API. */
export function isStandalone(page: string): boolean {
  return page === "/404" || page === "/_error";
}
