import type { Instant } from '@dutchbook/units/instant.ts';
import axios, { type AxiosResponse, type InternalAxiosRequestConfig } from 'axios';
import type { VenueNetwork } from '../network.ts';
import { VenueUnavailable } from '../venue.ts';

const RESPONSE_BYTES_MAX = 32 * 1024 * 1024;
const REASON_LENGTH_MAX = 200;
export const TOO_MANY_REQUESTS = 429;
/** Where a refusal does not say for how long. */
const REST_MS = 1000;
/** Whatever it says: nobody is shut out for good by one odd header. */
const REST_MS_MAX = 60_000;

/**
 * Puts limits on the requests that the official client makes, which has none of its own: a deadline for the whole call,
 * no redirects (they would repeat a POST elsewhere), a bounded answer, and no proxy of the environment on the way to
 * this machine itself. The client uses
 * the process-wide axios, so only requests to `baseUrl` are touched; where a `network` is given they go over that.
 * Returns how to take the limits off again.
 */
export function limitClientRequests(baseUrl: string, timeoutMs: number, network?: VenueNetwork): () => void {
  const base = `${baseUrl.replace(/\/{1,9}$/, '')}/`;
  const isLoopback = /^https?:\/\/(127\.|localhost[:/]|\[::1\])/.test(base);
  const limit = (request: InternalAxiosRequestConfig): InternalAxiosRequestConfig => {
    // Another venue on the same address may have set a deadline already: the earliest holds.
    const deadlines = [request.signal, AbortSignal.timeout(timeoutMs)].filter((one) => one instanceof AbortSignal);
    request.signal = AbortSignal.any(deadlines);
    request.maxRedirects = 0;
    request.maxContentLength = RESPONSE_BYTES_MAX;
    if (isLoopback) request.proxy = false;
    if (network !== undefined) {
      request.adapter = 'fetch';
      request.env = { ...request.env, fetch: network.fetch };
    }
    return request;
  };
  const runWhen = (request: InternalAxiosRequestConfig) => request.url?.startsWith(base) ?? false;
  const id = axios.interceptors.request.use(limit, null, { runWhen, synchronous: true });
  return () => axios.interceptors.request.eject(id);
}

/** What came back for a call of the official client. `restMs` is how long it asks to be left alone, if it does. */
export type ClientAnswer = { method: string; path: string; status: number; body: unknown; restMs: number | null };

/** Hears every answer to the official client under `baseUrl`, which drops headers. Returns how to stop that again. */
export function hearClientAnswers(
  baseUrl: string,
  now: () => Instant,
  heard: (answer: ClientAnswer) => void,
): () => void {
  const tell = ({ config, status, headers, data }: AxiosResponse) => {
    if (!config.url?.startsWith(`${baseUrl}/`)) return;
    const header: unknown = headers['retry-after'];
    heard({
      method: (config.method ?? 'get').toUpperCase(),
      path: config.url.slice(baseUrl.length).split('?', 1)[0] ?? '',
      status,
      body: data,
      restMs: restAskedFor(typeof header === 'string' ? header : null, now()),
    });
  };
  const id = axios.interceptors.response.use(
    (response) => {
      tell(response);
      return response;
    },
    (error: unknown) => {
      if (axios.isAxiosError(error) && error.response !== undefined) tell(error.response);
      return Promise.reject(error);
    },
  );
  return () => axios.interceptors.response.eject(id);
}

export type Query = Record<string, string | readonly string[]>;

type Headers = Record<string, string | number | boolean>;

/** JSON calls under one base address, public unless headers say who asks. They throw `VenueUnavailable` unless answered 200 with JSON in time. */
export type JsonApi = {
  get(path: string, query: Query, headers?: Headers): Promise<unknown>;
  post(path: string, body: unknown): Promise<unknown>;
};

/**
 * `timeoutMs` bounds each call from connecting to the last byte. Where the API asks to be left alone for a while, calls
 * to the same part of it fail until then without being sent.
 */
export function createJsonApi(
  baseUrl: string,
  timeoutMs: number,
  { now, network = { fetch } }: { now: () => Instant; network?: Pick<VenueNetwork, 'fetch'> },
): JsonApi {
  const base = baseUrl.replace(/\/{1,9}$/, '');
  const restingUntil = new Map<string, number>();
  const call = async (path: string, init: RequestInit): Promise<unknown> => {
    const what = `${init.method} ${path.split('?')[0]}`;
    const part = path.split(/[/?]/, 2)[1] ?? '';
    if ((restingUntil.get(part) ?? 0) > now()) {
      throw new VenueUnavailable(`${what} was not sent: the venue wants fewer calls`, { cause: TOO_MANY_REQUESTS });
    }
    const response = await network
      .fetch(`${base}${path}`, {
        ...init,
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      })
      .catch((error: unknown) => {
        throw new VenueUnavailable(`${what} got no answer: ${describe(error)}`);
      });
    const text = await readBounded(response, what);
    if (!response.ok) {
      const header = response.headers.get('retry-after');
      const restMs = header === null && response.status === TOO_MANY_REQUESTS ? REST_MS : restAskedFor(header, now());
      if (restMs !== null) restingUntil.set(part, now() + restMs);
      throw new VenueUnavailable(`${what} answered ${response.status}: ${oneLine(text)}`, { cause: response.status });
    }
    return parseJson(text, what);
  };
  return {
    get: (path, query, headers = {}) => {
      const texts = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
      return call(withQuery(path, query), { method: 'GET', headers: texts });
    },
    post: (path, body) =>
      call(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  };
}

/** How long the API is to be left alone: what `Retry-After` says, in seconds or as a date; null where it says nothing. */
function restAskedFor(header: string | null, now: Instant): number | null {
  if (header === null) return null;
  const asked = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isNaN(asked) ? REST_MS : Math.min(asked, REST_MS_MAX);
}

function withQuery(path: string, query: Query): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of typeof value === 'string' ? [value] : value) search.append(name, one);
  }
  const text = search.toString();
  return text === '' ? path : `${path}?${text}`;
}

async function readBounded(response: Response, what: string): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  try {
    for await (const chunk of response.body ?? []) {
      bytes += chunk.byteLength;
      if (bytes > RESPONSE_BYTES_MAX) throw new Error('the answer is too large');
      text += decoder.decode(chunk, { stream: true });
    }
  } catch (error) {
    throw new VenueUnavailable(`${what} broke off: ${describe(error)}`);
  }
  return text + decoder.decode();
}

function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new VenueUnavailable(`${what} did not answer with JSON: ${oneLine(text)}`);
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return oneLine(String(error));
  const cause = error.cause instanceof Error ? ` (${error.cause.message || error.cause.name})` : '';
  return oneLine(`${error.message}${cause}`);
}

function oneLine(text: string): string {
  return text
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, REASON_LENGTH_MAX);
}
