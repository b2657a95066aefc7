/** The call that places orders, straight to the venue: everything else asks by way of the official client. */
import { type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { type ApiKeyCreds, orderToJsonV2 } from '@polymarket/clob-client-v2';
import { type VenueRuntime, VenueUnavailable } from '../../venue.ts';
import type { PolymarketConfig } from '../config.ts';
import type { StoredOrder } from '../signing.ts';
import { type ClientAnswer, RESPONSE_BYTES_MAX, restAskedFor } from '../transport.ts';
import { keyHeaders } from './key-headers.ts';

const PATH = '/orders';

type TypedOrder = Parameters<typeof orderToJsonV2>[0];

/**
 * Posts orders in one call and answers what the venue says with status 2xx. Throws `VenueUnavailable` with its text
 * otherwise, and its status as the cause where there was an answer.
 */
export type OrderCall = (credentials: ApiKeyCreds, orders: readonly StoredOrder[]) => Promise<unknown>;

type Answer = { status: number; retryAfter: string | null; text: string };
type Send = (body: string, headers: Record<string, string>) => Promise<Answer>;

/** `address`: whose key it is. `onAnswer` hears what came back, whatever it says. */
export function openOrderCall(
  { clobUrl, requestTimeoutMs }: Pick<PolymarketConfig, 'clobUrl' | 'requestTimeoutMs'>,
  { now, network }: VenueRuntime,
  address: string,
  onAnswer: (answer: ClientAnswer) => void,
): OrderCall {
  const url = `${clobUrl}${PATH}`;
  const send =
    network === undefined ? overSockets(url, requestTimeoutMs) : overFetch(url, requestTimeoutMs, network.fetch);
  return async (credentials, orders) => {
    const body = `[${orders.map((order) => orderText(order, credentials.key)).join()}]`;
    const signed = keyHeaders(credentials, address, { method: 'POST', path: PATH, body }, now());
    const { status, retryAfter, text } = await send(body, { ...signed, ...PLAIN_HEADERS });
    const read = readJson(text);
    onAnswer({ method: 'POST', path: PATH, status, body: read, restMs: restAskedFor(retryAfter, now()) });
    const isRefused = status < 200 || status > 299;
    if (!isRefused && !hasError(read)) return read;
    throw new VenueUnavailable(reasonIn(read, status), isRefused ? { cause: status } : {});
  };
}

const texts = new WeakMap<StoredOrder, { owner: string; text: string }>();

/** An order as the call has it for the owner of a key, put into words once. */
export function orderText(stored: StoredOrder, owner: string): string {
  const made = texts.get(stored);
  if (made?.owner === owner) return made.text;
  // Typed more narrowly than plain text; what is stored was checked when it was read.
  const { order, orderType } = stored;
  const text = JSON.stringify(orderToJsonV2(order as TypedOrder, owner, orderType, false, true));
  texts.set(stored, { owner, text });
  return text;
}

const PLAIN_HEADERS = {
  'User-Agent': '@polymarket/clob-client',
  Accept: '*/*',
  'Content-Type': 'application/json',
};

/** Over the connections that the official client keeps open as well. Nothing is posted twice here, whatever happened to it. */
function overSockets(url: string, timeoutMs: number): Send {
  const target = new URL(url);
  const { protocol, hostname: host, port, pathname: path } = target;
  const request = protocol === 'https:' ? requestHttps : requestHttp;
  const options: RequestOptions = { host: host.replace(/^\[|\]$/g, ''), port, path, method: 'POST' };
  return (body, headers) =>
    new Promise((resolve, reject) => {
      const withLength = { ...headers, 'Content-Length': Buffer.byteLength(body) };
      const call = request({ ...options, headers: withLength }, (response) => {
        readText(response).then(resolve, fail).finally(stopWaiting);
      });
      const late = setTimeout(() => call.destroy(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
      const stopWaiting = () => clearTimeout(late);
      const fail = (error: Error) => {
        stopWaiting();
        reject(new VenueUnavailable(error.message));
      };
      call.on('error', fail);
      call.end(body);
    });
}

async function readText(response: IncomingMessage): Promise<Answer> {
  response.setEncoding('utf8');
  let text = '';
  for await (const chunk of response) {
    text += chunk;
    if (text.length > RESPONSE_BYTES_MAX) throw new Error('the answer is too large');
  }
  return { status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'] ?? null, text };
}

function overFetch(url: string, timeoutMs: number, fetch: typeof globalThis.fetch): Send {
  return async (body, headers) => {
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
      return { status: response.status, retryAfter: response.headers.get('retry-after'), text: await response.text() };
    } catch (error) {
      throw new VenueUnavailable(error instanceof Error ? error.message : String(error));
    }
  };
}

/** What is no JSON stays a text. */
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
  const told = hasError(read) ? read.error : read;
  const text = typeof told === 'string' ? told : JSON.stringify(told);
  return text === '' ? `Request failed with status code ${status}` : text;
}
