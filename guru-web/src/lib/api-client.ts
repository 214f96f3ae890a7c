import { queryString } from "@porchlight/shared/query-string";
import type { Transport } from "@porchlight/shared/transport";

interface Init extends Omit<RequestInit, "body" | "headers"> {
  params?: { path?: Record<string, string>; query?: Record<string, unknown> };
  headers?: Record<string, string>;
  body?: unknown;
}

/** In place of an answer that is not the product's but of something on the way, such as a proxy. */
const OTHER_ERROR = { success: false, error: { code: "unknown", message: "" } };

function isOwnError(body: unknown): boolean {
  return typeof body === "object" && body !== null && "error" in body && typeof body.error === "object";
}

/** The part of openapi-fetch that guru sites need: its code would not fit into the scripts that a page may have. */
function call(method: string) {
  return async (path: string, { params, headers, body, ...init }: Init = {}) => {
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params?.path?.[name] ?? ""));
    const query = queryString(params?.query ?? {});
    const response = await fetch(`/api${filled}${query && `?${query}`}`, {
      ...init,
      method,
      headers: {
        accept: "application/json",
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (response.ok) {
      const data: unknown = await response.json();
      return { data, response };
    }
    const error: unknown = await response.json().catch(() => null);
    return { error: isOwnError(error) ? error : OTHER_ERROR, response };
  };
}

/** The client of the product's API. Pages of guru sites say in their own words what failed. */
export const api = { GET: call("GET"), POST: call("POST"), DELETE: call("DELETE") } as Pick<
  Transport,
  "GET" | "POST" | "DELETE"
>;
