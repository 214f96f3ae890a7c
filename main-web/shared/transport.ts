import createFetchClient from "openapi-fetch";
import type { paths } from "./api.gen";
import { queryString } from "./query-string";

/** The API's paths as calls name them, below /api. */
export type ApiPaths = { [Path in keyof paths as Path extends `/api${infer Rest}` ? Rest : never]: paths[Path] };

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/**
 * What a call sends, in place of the browser's Request: its address may be relative, its body can be read at once, and
 * the same call can be sent again.
 */
class PlainRequest {
  constructor(
    readonly url: string,
    readonly init: RequestInit,
  ) {}
}

/** Return openapi-fetch's form of a `fetch` that takes an address and options. */
export function onPlainRequests(send: Fetch): (request: Request) => Promise<Response> {
  return (request) => {
    const { url, init } = request as unknown as PlainRequest;
    return send(url, init);
  };
}

/** Create a client of the API that knows the parameters, the body and the answers of each path. */
export function createTransport(base: string) {
  return createFetchClient<ApiPaths>({
    baseUrl: base,
    headers: { Accept: "application/json" },
    Request: PlainRequest as unknown as typeof Request,
    // The global function at the time of the call: tests replace it.
    fetch: onPlainRequests((url, init) => fetch(url, init)),
    querySerializer: queryString,
  });
}

export type Transport = ReturnType<typeof createTransport>;
