import type { Endpoint } from '@dutchbook/contract/endpoint.ts';
import type { FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { type FieldProblem, Refusal } from './errors.ts';
import { problemType } from './problem-wording.ts';

/** What a 422 repeats of the input is short, and never a secret. */
const INPUT_LENGTH_MAX = 200;
/** Levels of objects and lists in each other; the calls need half of them. */
const DEPTH_MAX = 8;
/** Up to this many wrong fields are named; a call with more was meant for something else. */
const PROBLEMS_MAX = 100;
const SECRET_NAME = /password|token|secret|key/i;

type Part = 'path' | 'query' | 'body';
type Decoded<Schema extends z.ZodMiniType> = { data: z.output<Schema> | undefined; problems: FieldProblem[] };

export type DecodedRequest<Params extends z.ZodMiniType, Query extends z.ZodMiniType, Body extends z.ZodMiniType> = {
  params: z.output<Params>;
  query: z.output<Query>;
  body: z.output<Body>;
};

/** Decodes all parts of a request by its contract. @throws Refusal 422 that names the wrong fields of all parts. */
export function decodeRequest<Params extends z.ZodMiniType, Query extends z.ZodMiniType, Body extends z.ZodMiniType>(
  endpoint: Endpoint<Params, Query, Body>,
  request: FastifyRequest,
): DecodedRequest<Params, Query, Body> {
  const params = decode(endpoint.params, 'path', request.params);
  const query = decodedQuery(endpoint, request);
  const body = decode(endpoint.body, 'body', bodyGiven(endpoint, request));
  const problems = [...params.problems, ...query.problems, ...body.problems];
  if (problems.length > 0) throw new Refusal(422, problems.slice(0, PROBLEMS_MAX));
  return {
    params: params.data as z.output<Params>,
    query: query.data as z.output<Query>,
    body: body.data as z.output<Body>,
  };
}

/** What the same lists are asked for by again and again, of each call, by the text in the address. */
const QUERIES_KEPT = 100;
const QUERY_LENGTH_KEPT = 200;
const keptQueries = new WeakMap<z.ZodMiniType, Map<string, Decoded<z.ZodMiniType>>>();

function decodedQuery<Query extends z.ZodMiniType>(
  { method, query: schema }: Pick<Endpoint<z.ZodMiniType, Query>, 'method' | 'query'>,
  { url, query }: FastifyRequest,
): Decoded<Query> {
  const asked = url.indexOf('?');
  const isKept = method === 'GET' && asked >= 0 && url.length - asked <= QUERY_LENGTH_KEPT;
  if (!isKept) return decode(schema, 'query', query);
  const kept = keptQueries.get(schema) ?? new Map<string, Decoded<z.ZodMiniType>>();
  keptQueries.set(schema, kept);
  const text = url.slice(asked);
  const known = kept.get(text);
  if (known !== undefined) return known as Decoded<Query>;
  const decoded = decode(schema, 'query', query);
  if (decoded.problems.length === 0 && kept.size < QUERIES_KEPT)
    kept.set(text, { ...decoded, data: Object.freeze(decoded.data) });
  return decoded;
}

/** A form without a field misses that field, not its body. */
function bodyGiven(endpoint: Pick<Endpoint, 'encoding'>, request: FastifyRequest): unknown {
  const form = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded') ?? false;
  if (endpoint.encoding === 'form') return form || request.isMultipart() ? request.body : {};
  return form ? undefined : request.body;
}

function decode<Schema extends z.ZodMiniType>(schema: Schema, part: Part, input: unknown): Decoded<Schema> {
  if (isDeeperThan(DEPTH_MAX, input)) {
    const msg = `Nested more than ${DEPTH_MAX} levels deep`;
    return { data: undefined, problems: [{ loc: [part], msg, type: 'value_error' }] };
  }
  const unstorable = unstorableTexts(input, []);
  if (unstorable.length > 0) {
    const msg = 'Contains a NUL character or half a character';
    return {
      data: undefined,
      problems: unstorable.map((place) => ({ loc: [part, ...place], msg, type: 'value_error' })),
    };
  }
  const result = z.safeParse(schema, input, { reportInput: true });
  if (result.success) return { data: result.data, problems: [] };
  return { data: undefined, problems: result.error.issues.flatMap((issue) => problemsOf(issue, part)) };
}

function isDeeperThan(levels: number, input: unknown): boolean {
  if (typeof input !== 'object' || input === null) return false;
  return levels === 0 || Object.values(input).some((value) => isDeeperThan(levels - 1, value));
}

/** Where text stands that no database keeps, names included: a NUL, or a lone half of a surrogate pair. */
function unstorableTexts(input: unknown, place: readonly string[]): (readonly string[])[] {
  if (typeof input === 'string') return isUnstorable(input) ? [place] : [];
  if (typeof input !== 'object' || input === null) return [];
  return Object.entries(input).flatMap(([name, value]) =>
    isUnstorable(name) ? [place] : unstorableTexts(value, [...place, name]),
  );
}

function isUnstorable(text: string): boolean {
  return text.includes('\0') || !text.isWellFormed();
}

function problemsOf(issue: z.core.$ZodIssue, part: Part): FieldProblem[] {
  const path = issue.path.map((step) => (typeof step === 'number' ? step : String(step)));
  const places = issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...path, key]) : [path];
  return places.map((place) => ({
    loc: [part, ...place],
    msg: issue.message,
    type: problemType(issue),
    ...inputShown(place, issue.input),
  }));
}

function inputShown(place: readonly (string | number)[], input: unknown): { input?: unknown } {
  if (place.some((step) => SECRET_NAME.test(String(step)))) return {};
  if (input === undefined) return { input: null };
  if (typeof input === 'string') return { input: input.slice(0, INPUT_LENGTH_MAX) };
  return typeof input === 'object' || typeof input === 'bigint' ? {} : { input };
}
