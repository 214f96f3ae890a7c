import type { ApiPaths } from "./transport";

/*
 * The types of a call by its path and method. They do what openapi-fetch's do, and differ in three things: the result is
 * the `data` of the answer, an unknown option is an error, and a query may hold values that are omitted.
 */

export type Method = "get" | "post" | "put" | "patch" | "delete";

/** The paths that have this method. */
export type PathWith<M extends Method> = {
  [Path in keyof ApiPaths]: ApiPaths[Path] extends Record<M, object> ? Path : never;
}[keyof ApiPaths];

export type Operation<M extends Method, Path extends keyof ApiPaths> = ApiPaths[Path][M];

type IsOptional<Values, Name extends keyof Values> = object extends Pick<Values, Name> ? true : false;

/** Parameters that may be left out may be undefined, null or "", too: the client omits them. */
type Omittable<Values> = {
  [Name in keyof Values]: IsOptional<Values, Name> extends true ? Values[Name] | "" | null | undefined : Values[Name];
};

type QueryOf<Parameters> = Parameters extends { query: infer Query }
  ? { query: Omittable<Query> }
  : Parameters extends { query?: infer Query }
    ? [NonNullable<Query>] extends [never]
      ? { query?: never }
      : { query?: Omittable<NonNullable<Query>> }
    : unknown;

type PathOf<Parameters> = Parameters extends { path: infer Path } ? { path: Path } : { path?: never };

type ParamsOf<Op> = Op extends { parameters: infer Parameters }
  ? OptionalIfEmpty<"params", QueryOf<Parameters> & PathOf<Parameters>>
  : unknown;

type OptionalIfEmpty<Name extends string, Value> = object extends Value
  ? Partial<Record<Name, Value>>
  : Record<Name, Value>;

/** JSON, or a file where the API takes no JSON. */
type ContentOf<Body> = Body extends { content: { "application/json": infer Json } } ? Json : Blob;

type BodyOf<Op> = Op extends { requestBody: infer Body }
  ? { body: ContentOf<Body> }
  : Op extends { requestBody?: infer Body }
    ? [NonNullable<Body>] extends [never]
      ? { body?: never }
      : { body?: ContentOf<NonNullable<Body>> }
    : unknown;

type Success = 200 | 201 | 202;

type JsonOf<Answer> = Answer extends { content: { "application/json": infer Json } } ? Json : undefined;

/** The whole body of a successful answer; undefined where it has none. */
export type BodyOfAnswer<Op> = Op extends { responses: infer Answers }
  ? Extract<keyof Answers, Success> extends never
    ? undefined
    : JsonOf<Answers[Extract<keyof Answers, Success>]>
  : never;

type Unwrapped<Body> = Body extends { data: infer Data } ? Data : Body;

/** What a call returns: the answer's `data`, or all of it without one. */
export type ResultOf<Op> = Unwrapped<BodyOfAnswer<Op>>;

/** The query parameters of a read. */
export type QueryParameters<Path extends PathWith<"get">> =
  ParamsOf<Operation<"get", Path>> extends { params?: { query?: infer Query } } ? NonNullable<Query> : never;

/** What an operation takes, and what any call may have. */
export type InitOf<Op, Options> = ParamsOf<Op> & BodyOf<Op> & Options;

/** The arguments after the path. They are needed where the operation needs a parameter or a body. */
export type ArgumentsOf<Init> = object extends Init ? [init?: Init] : [init: Init];
