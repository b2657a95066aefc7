/** Calls under the address of the CLOB that change something, over connections that are kept open. None of them is repeated here. */
import { type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { type CallAnswer, RESPONSE_BYTES_MAX, restAskedFor } from '../../transport.ts';
import { type VenueRuntime, VenueUnavailable } from '../../venue.ts';
import type { PolymarketConfig } from '../config.ts';
import { type ApiKey, type KeyedCall, keyHeaders } from './key-headers.ts';

/** What the venue answered: `body` as JSON, or as text where it is none. */
export type Answer = Pick<CallAnswer, 'status' | 'body'>;

/** Signs a call with an API key and sends it. Throws `VenueUnavailable` without a cause when no whole answer came. */
export type AccountCall = (key: ApiKey, call: KeyedCall) => Promise<Answer>;

type TextAnswer = { status: number; retryAfter: string | null; text: string };

/** Sends one call and answers whatever came back. Throws `VenueUnavailable` when no whole answer came. */
export type Send = (call: KeyedCall, headers: Record<string, string>) => Promise<TextAnswer>;

type Target = Pick<PolymarketConfig, 'clobUrl' | 'requestTimeoutMs'>;

/** `address`: whose key it is. `onAnswer` receives each answer, whatever it says. */
export function openAccountCall(
  config: Target,
  runtime: VenueRuntime,
  address: string,
  onAnswer: (answer: CallAnswer) => void,
): AccountCall {
  const send = openSend(config, runtime);
  return async (key, call) => {
    const { status, retryAfter, text } = await send(call, keyHeaders(key, address, call, runtime.now()));
    const body = readJson(text);
    const restMs = restAskedFor(retryAfter, runtime.now());
    onAnswer({ method: call.method, path: call.path, status, body, restMs });
    return { status, body };
  };
}

/** The body of an answer with status 2xx and no error in it. Throws `VenueUnavailable` otherwise, with a refusing status as its cause. */
export function bodyOf({ status, body }: Answer): unknown {
  const isRefused = status < 200 || status > 299;
  if (!isRefused && !hasError(body)) return body;
  throw new VenueUnavailable(reasonIn(body, status), isRefused ? { cause: status } : {});
}

/** No redirect is followed and no proxy of the environment is used. */
export function openSend({ clobUrl, requestTimeoutMs }: Target, { network }: Pick<VenueRuntime, 'network'>): Send {
  return network === undefined
    ? overSockets(clobUrl, requestTimeoutMs)
    : overFetch(clobUrl, requestTimeoutMs, network.fetch);
}

const PLAIN_HEADERS = { 'User-Agent': '@polymarket/clob-client', Accept: '*/*' };

function headersOf({ body }: KeyedCall, signed: Record<string, string>): Record<string, string> {
  return { ...signed, ...PLAIN_HEADERS, ...(body ? { 'Content-Type': 'application/json' } : {}) };
}

function overSockets(baseUrl: string, timeoutMs: number): Send {
  const { protocol, hostname, port, pathname } = new URL(baseUrl);
  const request = protocol === 'https:' ? requestHttps : requestHttp;
  const host = hostname.replace(/^\[|\]$/g, '');
  const base = pathname.replace(/\/$/, '');
  return (call, signed) =>
    new Promise((resolve, reject) => {
      const { method, path, body = '' } = call;
      const headers = { ...headersOf(call, signed), 'Content-Length': Buffer.byteLength(body) };
      const options: RequestOptions = { host, port, path: `${base}${path}`, method, headers };
      const sent = request(options, (response) => {
        readText(response).then(resolve, fail).finally(stopWaiting);
      });
      const late = setTimeout(() => sent.destroy(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
      const stopWaiting = () => clearTimeout(late);
      const fail = (error: Error) => {
        stopWaiting();
        reject(new VenueUnavailable(error.message));
      };
      sent.on('error', fail);
      sent.end(body);
    });
}

async function readText(response: IncomingMessage): Promise<TextAnswer> {
  response.setEncoding('utf8');
  let text = '';
  for await (const chunk of response) {
    text += chunk;
    if (text.length > RESPONSE_BYTES_MAX) throw new Error('the answer is too large');
  }
  return { status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'] ?? null, text };
}

function overFetch(baseUrl: string, timeoutMs: number, fetch: typeof globalThis.fetch): Send {
  return async (call, signed) => {
    const { method, path, body } = call;
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const headers = headersOf(call, signed);
      const sent = { method, headers, ...(body ? { body } : {}), redirect: 'manual', signal } as const;
      const response = await fetch(`${baseUrl}${path}`, sent);
      return { status: response.status, retryAfter: response.headers.get('retry-after'), text: await response.text() };
    } catch (error) {
      throw new VenueUnavailable(error instanceof Error ? error.message : String(error));
    }
  };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function hasError(read: unknown): read is { error: unknown } {
  return typeof read === 'object' && read !== null && 'error' in read;
}

function reasonIn(read: unknown, status: number): string {
  const said = hasError(read) ? read.error : read;
  const text = typeof said === 'string' ? said : JSON.stringify(said);
  return text === '' ? `Request failed with status code ${status}` : text;
}
