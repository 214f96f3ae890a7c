type QueryValue = string | number | boolean | null | undefined;

/** The query of a URL, without its question mark. Parameters that are undefined, null or "" are omitted; a list repeats its name. */
export function queryString(query: Record<string, unknown>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const item of [value].flat() as QueryValue[]) {
      if (item !== undefined && item !== null && item !== "") params.append(name, String(item));
    }
  }
  return params.toString();
}
