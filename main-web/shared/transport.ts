import type { Client } from "openapi-fetch";
import type { paths } from "./api.gen";
import { queryString } from "./query-string";

/** The API's paths as calls name them, below /api. */
export type ApiPaths = { [Path in keyof paths as Path extends `/api${infer Rest}` ? Rest : never]: paths[Path] };

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export type TransportInit = Omit<RequestInit, "body" | "headers"> & {
  params?: { path?: Record<string, string | number>; query?: Record<string, unknown> };
  headers?: Record<string, string>;
  body?: unknown;
  /** Replaces the global `fetch`. */
  fetch?: Fetch | undefined;
};

/**
 * Send a call of a path with its parameters in braces, and return the answer. A body that is not binary is sent as
 * JSON.
 */
export async function send(base: string, method: string, path: string, init: TransportInit = {}): Promise<Response> {
  const { params, headers, body, fetch: ownFetch, ...options } = init;
  const filled = path.replace(/\{(\w+)\}/g, (_brace, name: string) => encodeURIComponent(params?.path?.[name] ?? ""));
  const query = queryString(params?.query ?? {});
  const isBinary = body instanceof ArrayBuffer;
  // The global function at the time of the call: tests replace it.
  return (ownFetch ?? fetch)(`${base}${filled}${query && `?${query}`}`, {
    ...options,
    method,
    ...(body !== undefined && { body: isBinary ? body : JSON.stringify(body) }),
    headers: {
      Accept: "application/json",
      ...(body !== undefined && !isBinary && { "Content-Type": "application/json" }),
      ...headers,
    },
  });
}

/** The calls of the API by method, in the form of openapi-fetch, whose types know what each path takes and answers. */
export type Transport = Pick<Client<ApiPaths>, "GET" | "POST" | "DELETE">;

/** What the body of a success is read as; JSON by default. */
type Reading = { parseAs?: "json" | "blob" };

/** Create a client of the API without a signed-in user, and with answers and errors as they arrive. */
export function createTransport(base: string): Transport {
  const call =
    (method: string) =>
    async (path: string, { parseAs, ...init }: TransportInit & Reading = {}) => {
      const response = await send(base, method, path, init);
      if (response.ok) return { data: await (parseAs === "blob" ? response.blob() : json(response)), response };
      return { error: await json(response), response };
    };
  return { GET: call("GET"), POST: call("POST"), DELETE: call("DELETE") } as Transport;
}

async function json(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    return undefined;
  }
}
