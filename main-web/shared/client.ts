import { API_ERROR_TEXTS, apiErrorText } from "./api-errors";
import type { ArgumentsOf, InitOf, Method, Operation, PathWith, ResultOf } from "./call-types";
import { createTransport, onPlainRequests } from "./transport";

/** A failed API call. `message` is the text for the user (SPEC 8.2). */
export class ApiError extends Error {
  override readonly name = "ApiError";
  constructor(
    message: string,
    /** HTTP status; 0 without a response. */
    readonly status: number,
    /** The response's `error.code`, or "network" or "unknown". */
    readonly code: string,
    /** One sentence per invalid field, by field name. */
    readonly fields: Readonly<Record<string, string>> = {},
    /** Seconds to wait before a retry, from the Retry-After header. */
    readonly retryAfter: number | null = null,
    /** Of a 402: what the user's plan doesn't include, and the plan that does. */
    readonly planLimit: PlanLimit | null = null,
    /** The response's own words, also where `message` replaces them (SPEC 8.2); "" without any. */
    readonly serverMessage = "",
    /** Of a 429 during a flood: the proof of work to solve; "" without one. */
    readonly challenge = "",
  ) {
    super(message);
  }
}

/** The sentences of the fields that a failed call refused, by field name; none for another failure. */
export function fieldErrors(reason: unknown): Readonly<Record<string, string>> {
  return reason instanceof ApiError ? reason.fields : {};
}

/** `limit` and `used` are there for what is counted. */
export type PlanLimit = { feature: string; plan: string; limit?: number; used?: number };

/** What any call may have, apart from what its operation takes. */
export type CallOptions = {
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** Timeout of this call in milliseconds. */
  timeout?: number;
  /** Error codes that the caller handles itself, without `onErrorResponse`. */
  handled?: readonly string[];
  /** Replaces the global fetch, for example to report upload progress. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
};

type Call<M extends Method> = <Path extends PathWith<M>>(
  path: Path,
  ...init: ArgumentsOf<InitOf<Operation<M, Path>, CallOptions>>
) => Promise<ResultOf<Operation<M, Path>>>;

/**
 * The calls of the API by method. The path is the one of the API's description, with its parameters in braces; it
 * decides what the call takes and returns. A Blob as the body is sent as raw bytes with its own content type.
 */
export type Client = {
  GET: Call<"get">;
  POST: Call<"post">;
  PUT: Call<"put">;
  PATCH: Call<"patch">;
  DELETE: Call<"delete">;
  /** Download the response body as a file. */
  FILE: <Path extends PathWith<"get">>(
    path: Path,
    ...init: ArgumentsOf<InitOf<Operation<"get", Path>, CallOptions>>
  ) => Promise<Blob>;
};

export type ClientSettings = {
  /** Base URL of all paths, e.g. "/api". */
  base?: string;
  /** Returns the user's ID token, or null when signed out. */
  getToken?: () => Promise<string | null>;
  /** Called after the server rejected the token or the cookie. Returns a token for one retry, or null for no retry. */
  renewToken?: () => Promise<string | null>;
  /** Headers added to all calls. */
  extraHeaders?: () => Record<string, string>;
  /** Called with each error response that the caller does not handle itself, before the call fails. */
  onErrorResponse?: (error: ApiError) => void;
  warn?: (message: string, reason: unknown) => void;
  /** Default timeout in milliseconds. A timeout counts as a network failure. */
  timeout?: number;
};

type ErrorDetails = {
  code?: string;
  message?: string;
  fields?: Record<string, string>;
  challenge?: string;
} & Partial<PlanLimit>;
type ErrorBody = { error?: ErrorDetails; message?: string };

/** The options of a call to any operation. */
type AnyInit = CallOptions & { params?: object; body?: unknown };
/** A call to any operation, whose types the client's methods have checked. */
type UntypedRequest = (
  method: Method,
  path: string,
  init: Record<string, unknown>,
) => Promise<{ response: Response; error?: unknown }>;

/**
 * Create a client of the product's API: JSON in both directions, a Bearer token when a user is signed in, and the
 * response's `data` as the result. An answer that is not the product's counts as a network failure. If the
 * token cannot be obtained, the client logs a warning and sends the call without it (SPEC 7.2). A call is retried only when the server rejected its token.
 */
export function createClient(settings: ClientSettings = {}): Client {
  const { base = "/api", getToken, renewToken, timeout = 20_000 } = settings;
  const transport = createTransport(base);
  const warn = settings.warn ?? ((message, reason) => console.warn(message, reason));

  async function tokenOrNull(): Promise<string | null> {
    try {
      return (await getToken?.()) ?? null;
    } catch (reason) {
      warn("Could not get an ID token; calling without it.", reason);
      return null;
    }
  }

  async function call(
    method: Method,
    path: string,
    options: AnyInit = {},
    readBody: (response: Response) => Promise<unknown> = readJson,
  ): Promise<unknown> {
    const token = await tokenOrNull();
    let [response, body] = await send(method, path, options, readBody, token);
    if (response.status === 401 && renewToken && TOKEN_ERROR_CODES.has(toApiError(response, body).code)) {
      const newToken = await renewToken().catch((reason: unknown) => {
        warn("Could not renew the ID token.", reason);
        return null;
      });
      if (newToken !== null) [response, body] = await send(method, path, options, readBody, newToken);
    }
    if (!response.ok || isErrorBody(body)) {
      const error = toApiError(response, body);
      if (!options.handled?.includes(error.code)) settings.onErrorResponse?.(error);
      throw error;
    }
    return isRecord(body) && "data" in body ? body.data : body;
  }

  async function send(
    method: Method,
    path: string,
    { body, headers, signal, timeout: ownTimeout, fetch, params }: AnyInit,
    readBody: (response: Response) => Promise<unknown>,
    token: string | null,
  ): Promise<[Response, unknown]> {
    const timeoutSignal = AbortSignal.timeout(ownTimeout ?? timeout);
    try {
      const { response, error } = await (transport.request as UntypedRequest)(method, path, {
        params,
        ...(body !== undefined && { body: body instanceof Blob ? await body.arrayBuffer() : JSON.stringify(body) }),
        bodySerializer: (serialized: unknown) => serialized,
        headers: {
          ...(token !== null && { Authorization: `Bearer ${token}` }),
          ...(body instanceof Blob && { "Content-Type": body.type }),
          ...settings.extraHeaders?.(),
          ...headers,
        },
        credentials: "same-origin",
        signal: signal ? AbortSignal.any([signal, timeoutSignal]) : timeoutSignal,
        parseAs: "stream",
        ...(fetch && { fetch: onPlainRequests(fetch) }),
      });
      return [response, response.ok ? await readBody(response) : isJson(response) ? error : undefined];
    } catch (reason) {
      if (signal?.aborted) throw reason;
      throw new ApiError(API_ERROR_TEXTS.network, 0, "network");
    }
  }

  const method = (name: Method) => (path: string, init?: AnyInit) => call(name, path, init);
  return {
    GET: method("get"),
    POST: method("post"),
    PUT: method("put"),
    PATCH: method("patch"),
    DELETE: method("delete"),
    FILE: (path: string, init?: AnyInit) => call("get", path, init, readFile),
  } as Client;
}

/** The code of a 403 because the user's email address is not verified. */
export const EMAIL_UNVERIFIED = "email_unverified";

/** Error codes of a 401 caused by the ID token, as opposed to the admin key. */
const TOKEN_ERROR_CODES = new Set(["unauthenticated", "user_disabled"]);

function toApiError(response: Response, body: unknown): ApiError {
  const errorBody = (isRecord(body) ? body : {}) as ErrorBody;
  const serverMessage = errorBody.error?.message ?? errorBody.message;
  const code = errorBody.error?.code ?? "unknown";
  const seconds = Number(response.headers.get("Retry-After") ?? Number.NaN);
  return new ApiError(
    // This one tells the user what to do, unlike SPEC's text of its status.
    (code === EMAIL_UNVERIFIED && serverMessage) || apiErrorText(response.status, serverMessage),
    response.status,
    code,
    toFields(errorBody.error?.fields),
    Number.isFinite(seconds) ? seconds : null,
    toPlanLimit(errorBody.error),
    typeof serverMessage === "string" ? serverMessage : "",
    errorBody.error?.challenge ?? "",
  );
}

/** Only sentences: an answer that is not the product's may have anything else. */
function toFields(fields: unknown): Record<string, string> {
  if (!isRecord(fields)) return {};
  return Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

function toPlanLimit(error: ErrorDetails | undefined): PlanLimit | null {
  if (error?.code !== "plan_required" || !error.feature || !error.plan) return null;
  const { feature, plan, limit, used } = error;
  return { feature, plan, ...(limit !== undefined && used !== undefined && { limit, used }) };
}

/**
 * The parsed body of a success; undefined without one. A success with another body is not from the product but from
 * something on the way, such as the login page of a public network.
 */
async function readJson(response: Response): Promise<unknown> {
  const text = await response.text();
  const body = isJson(response) ? parsed(text) : undefined;
  if (text !== "" && !isOwn(body)) throw new Error("not an answer of the API");
  return body;
}

function isJson(response: Response): boolean {
  return /[/+]json\b/i.test(response.headers.get("Content-Type") ?? "");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Whether a body says how the call ended, as the API's do, or is one of its lists. */
function isOwn(body: unknown): boolean {
  return Array.isArray(body) || (isRecord(body) && [body.success, body.ok].some((end) => typeof end === "boolean"));
}

/** The body as a file. No file of the product is HTML. */
async function readFile(response: Response): Promise<Blob> {
  const file = await response.blob();
  if (/^text\/html\b/i.test(file.type)) throw new Error("no file, but a page");
  return file;
}

/** Whether the body says that the call failed. Those of payouts say it with `ok` (SPEC 8.7). */
function isErrorBody(body: unknown): boolean {
  return isRecord(body) && (body.success === false || body.ok === false);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
