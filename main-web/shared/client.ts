import { API_ERROR_TEXTS, apiErrorText } from "./api-errors";

/** A call that did not succeed; `message` is what a person reads (SPEC 8.2). */
export class ApiError extends Error {
  override readonly name = "ApiError";
  constructor(
    message: string,
    /** HTTP status; 0 when no answer arrived. */
    readonly status: number,
    /** The answer's `error.code`, or "network" or "unknown". */
    readonly code: string,
    /** One sentence per refused field, by field name. */
    readonly fields: Readonly<Record<string, string>> = {},
    /** Seconds until another attempt makes sense, when the server said so. */
    readonly retryAfter: number | null = null,
  ) {
    super(message);
  }
}

export type CallOptions = {
  /** Query parameters; undefined, null and "" are left out. */
  query?: Record<string, string | number | boolean | null | undefined>;
  /** Sent as JSON, or, when it is a Blob, as the bytes it holds under its own type. */
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** Milliseconds until no answer counts as a network failure, for a call that takes its time. */
  timeout?: number;
  /** What carries the call there and its answer back, as fetch does; fetch unless said otherwise. */
  carry?: (url: string, init: RequestInit) => Promise<Response>;
};

export type Client = {
  get<T>(path: string, options?: CallOptions): Promise<T>;
  post<T>(path: string, options?: CallOptions): Promise<T>;
  put<T>(path: string, options?: CallOptions): Promise<T>;
  delete<T>(path: string, options?: CallOptions): Promise<T>;
  /** A file as the answer's body. */
  file(path: string, options?: CallOptions): Promise<Blob>;
};

export type ClientSettings = {
  /** Where paths hang, e.g. "/api". */
  base?: string;
  /** The signed-in person's ID token, or null when nobody is signed in. */
  getToken?: () => Promise<string | null>;
  /** Called when the server refused the token; a fresh one, if trying once more with it makes sense, or null. */
  renewToken?: () => Promise<string | null>;
  /** Headers that every call carries. */
  extraHeaders?: () => Record<string, string>;
  warn?: (message: string, reason: unknown) => void;
  /** Milliseconds until a call without an answer counts as a network failure. */
  timeout?: number;
};

type Failure = { error?: { code?: string; message?: string; fields?: Record<string, string> }; message?: string };

/**
 * The one way to the product's API: JSON both ways, a Bearer token when someone is signed in, and the answer's `data`.
 * If the token cannot be had, that is logged and the call goes without it (SPEC 7.2). Nothing is ever sent twice, but for
 * what the server did not let in because of its token.
 */
export function createClient(settings: ClientSettings = {}): Client {
  const { base = "/api", getToken, renewToken, timeout = 20_000 } = settings;
  const warn = settings.warn ?? ((message, reason) => console.warn(message, reason));

  async function presentToken(): Promise<string | null> {
    try {
      return (await getToken?.()) ?? null;
    } catch (reason) {
      warn("Could not get an ID token; calling without it.", reason);
      return null;
    }
  }

  async function call(
    method: string,
    path: string,
    options: CallOptions = {},
    read: (answer: Response) => Promise<unknown> = readJson,
  ): Promise<unknown> {
    const token = await presentToken();
    let [answer, body] = await send(method, path, options, read, token);
    if (answer.status === 401 && token !== null && renewToken && REFUSED_TOKEN.has(failure(answer, body).code)) {
      const fresh = await renewToken().catch((reason: unknown) => {
        warn("Could not renew the ID token.", reason);
        return null;
      });
      if (fresh !== null) [answer, body] = await send(method, path, options, read, fresh);
    }
    if (!answer.ok || isRefusal(body)) throw failure(answer, body);
    return isRecord(body) && "data" in body ? body.data : body;
  }

  async function send(
    method: string,
    path: string,
    options: CallOptions,
    read: (answer: Response) => Promise<unknown>,
    token: string | null,
  ): Promise<[Response, unknown]> {
    const headers: Record<string, string> = { Accept: "application/json" };
    if (token !== null) headers.Authorization = `Bearer ${token}`;
    const sent = options.body instanceof Blob ? options.body : null;
    if (options.body !== undefined) headers["Content-Type"] = sent ? sent.type : "application/json";
    const limit = AbortSignal.timeout(options.timeout ?? timeout);
    try {
      const answer = await (options.carry ?? fetch)(base + path + queryString(options.query), {
        method,
        headers: { ...headers, ...settings.extraHeaders?.(), ...options.headers },
        credentials: "same-origin",
        signal: options.signal ? AbortSignal.any([options.signal, limit]) : limit,
        ...(options.body !== undefined && { body: sent ? await sent.arrayBuffer() : JSON.stringify(options.body) }),
      });
      return [answer, await (answer.ok ? read : readJson)(answer)];
    } catch (reason) {
      if (options.signal?.aborted) throw reason;
      throw new ApiError(API_ERROR_TEXTS.network, 0, "network");
    }
  }

  return {
    get: async <T>(path: string, options?: CallOptions) => (await call("GET", path, options)) as T,
    post: async <T>(path: string, options?: CallOptions) => (await call("POST", path, options)) as T,
    put: async <T>(path: string, options?: CallOptions) => (await call("PUT", path, options)) as T,
    delete: async <T>(path: string, options?: CallOptions) => (await call("DELETE", path, options)) as T,
    file: async (path, options) => (await call("GET", path, options, (answer) => answer.blob())) as Blob,
  };
}

/** The codes of a refusal that is about the token, and not about another key. */
const REFUSED_TOKEN = new Set(["unauthenticated", "user_disabled"]);

function failure(answer: Response, body: unknown): ApiError {
  const said = (isRecord(body) ? body : {}) as Failure;
  const text = apiErrorText(answer.status, said.error?.message ?? said.message);
  const seconds = Number(answer.headers.get("Retry-After") ?? Number.NaN);
  return new ApiError(
    text,
    answer.status,
    said.error?.code ?? "unknown",
    said.error?.fields ?? {},
    Number.isFinite(seconds) ? seconds : null,
  );
}

/** The body, if it says it is JSON and is; anything else reads as nothing. */
async function readJson(answer: Response): Promise<unknown> {
  const type = answer.headers.get("Content-Type") ?? "";
  const text = await answer.text();
  if (!/[/+]json\b/i.test(type)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function queryString(query: CallOptions["query"] = {}): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== "") params.set(name, String(value));
  }
  const text = params.toString();
  return text && `?${text}`;
}

function isRefusal(body: unknown): boolean {
  return isRecord(body) && body.success === false;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
