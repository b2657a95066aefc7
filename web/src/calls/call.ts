import { API_PREFIX, type Endpoint, type HeldStop } from '@dutchbook/contract/endpoint.ts';
import * as z from 'zod/mini';
import { endSession, readAccessToken } from './access-token.ts';
import { ApiError, HeldHere, SessionOver, toastText, Unanswered } from './api-error.ts';
import { heldReads } from './held-reads.ts';

type Part<Name extends string, Schema extends z.ZodMiniType> =
  unknown extends z.output<Schema> ? { [Key in Name]?: never } : { [Key in Name]: z.output<Schema> };

/** What a call needs, in decoded quantities; only the parts its endpoint describes. */
export type CallInput<E extends Endpoint> = Part<'params', E['params']> &
  Part<'query', E['query']> &
  Part<'body', E['body']> & {
    signal?: AbortSignal;
    /** For an endpoint that is `idempotent`: names the request, so that asking for it twice does it once. */
    idempotencyKey?: string;
    /** Reaches the server also when the page is left while it is on its way. */
    keepalive?: true;
  };

/** Asks for what a call was refused for want of. @returns whether the call can be made again. @throws ShownRefusal */
type Prove = (refusal: unknown) => Promise<boolean>;

let prove: Prove | undefined;

/** `asking` is there for every call that is refused, until another one or none is. */
export function onRefusal(asking: Prove | undefined): void {
  prove = asking;
}

/**
 * Calls an endpoint of the contract and answers its decoded reply.
 * @throws ApiError when the server answers with an error status (401 and 403 also end the session), and as if it had where
 * the path would have no valid id, Error when it
 * cannot be reached, the request was aborted, or the reply is not what the contract says; SessionOver, without asking
 * the server, when the session that the call needs has ended; HeldHere for a stop that is not stored yet.
 */
export async function call<E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<z.output<E['reply']>> {
  try {
    return await callOnce(endpoint, input);
  } catch (error) {
    if (!(await prove?.(error))) throw error;
    return callOnce(endpoint, input);
  }
}

async function callOnce<E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<z.output<E['reply']>> {
  const held = endpoint.method === 'GET' ? heldReads() : undefined;
  if (held !== undefined) await held;
  requireSession(endpoint);
  const url = urlOf(endpoint, input.params, input.query);
  const response = await send(url, {
    method: endpoint.method,
    credentials: 'include',
    headers: headersOf(endpoint, input.idempotencyKey),
    body: bodyOf(endpoint, input.body),
    signal: input.signal ?? null,
    ...(input.keepalive && { keepalive: true }),
  });
  const { status, statusText } = response;
  return readReply(endpoint, {
    url,
    status,
    statusText,
    type: response.headers.get('content-type') ?? '',
    retryAfter: response.headers.get('retry-after'),
    text: await response.text(),
  });
}

/** @throws SessionOver when the endpoint needs a session and there is none: what loads late still asks after a log-out. */
export function requireSession({ access }: Endpoint): void {
  if (access !== 'public' && readAccessToken() === null) throw new SessionOver();
}

type Answer = {
  url: string;
  status: number;
  statusText: string;
  type: string;
  text: string;
  retryAfter?: string | null;
};

/** The decoded reply that an answer of the server holds. @throws as `call` does. */
export function readReply<E extends Endpoint>(endpoint: E, answer: Answer): z.output<E['reply']> {
  const body = bodyIn(answer);
  if (answer.status < 200 || answer.status > 299) throw refusal(answer, body);
  if (answer.status === 202) throw new HeldHere((body as HeldStop).message);
  const reply = z.safeDecode(endpoint.reply, body);
  if (!reply.success) throw new Error('The server answered in a form this page does not know. Reload the page.');
  return reply.data as z.output<E['reply']>;
}

export function urlOf(endpoint: Endpoint, params: unknown, query: unknown): string {
  const named = params === undefined ? {} : namesIn(endpoint, params);
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(named[name])));
  const search = new URLSearchParams();
  if (query !== undefined) {
    for (const [name, value] of Object.entries(encodedQuery(endpoint, query)))
      if (value !== undefined && value !== null) search.set(name, String(value));
  }
  return `${API_PREFIX}${path}${search.size > 0 ? `?${search}` : ''}`;
}

/** @throws ApiError as the server would answer, of a span that ends before it begins for example. */
function encodedQuery(endpoint: Endpoint, query: unknown): object {
  const { success, data, error } = z.safeEncode(endpoint.query, query);
  if (success) return data as object;
  const detail = error.issues.map(({ path, message }) => ({ loc: ['query', ...path], msg: message }));
  throw new ApiError({ url: endpoint.path, status: 422, statusText: '', body: { detail } });
}

/** What stands in the path. An address may have been cut, or typed: where it holds no id, nothing is there. */
function namesIn(endpoint: Endpoint, params: unknown): Record<string, unknown> {
  const { success, data } = z.safeEncode(endpoint.params, params);
  if (success) return data as Record<string, unknown>;
  throw new ApiError({ url: endpoint.path, status: 404, statusText: '', body: { detail: 'Nothing has this ID' } });
}

export function headersOf(endpoint: Endpoint, idempotencyKey?: string): Record<string, string> {
  const headers: Record<string, string> = { accept: 'application/json' };
  const token = readAccessToken();
  if (token !== null) headers.authorization = `Bearer ${token}`;
  if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey;
  if (hasBody(endpoint) && endpoint.encoding === undefined) headers['content-type'] = 'application/json';
  return headers;
}

const hasBody = ({ method }: Endpoint) => method !== 'GET' && method !== 'DELETE';

function bodyOf(endpoint: Endpoint, body: unknown): BodyInit | null {
  if (!hasBody(endpoint)) return null;
  if (body === undefined) return endpoint.encoding === undefined ? '{}' : null;
  const encoded = z.encode(endpoint.body, body);
  if (endpoint.encoding === 'form') return new URLSearchParams(encoded as Record<string, string>);
  return JSON.stringify(encoded);
}

export async function send(url: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(url, request);
  } catch (error) {
    throw new Unanswered(error);
  }
}

function bodyIn({ status, type, text }: Answer): unknown {
  if (status === 204) return undefined;
  // Not JSON lines: a file of one line would pass for a single object.
  if (!/^application\/json\b/.test(type)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function refusal({ url, status, statusText, retryAfter = null }: Answer, body: unknown): ApiError {
  const error = new ApiError({ url, status, statusText, body, retryAfter });
  if (error.endsSession) endSession(toastText(error));
  return error;
}
