import type { Instant } from '@dutchbook/units/instant.ts';
import { parseInSlices } from './json-in-slices.ts';
import type { VenueNetwork } from './network.ts';
import { ReadBudget, type ReadLimit, type ReadPriority } from './read-budget.ts';
import { VenueBusy, VenueUnavailable } from './venue.ts';

export const RESPONSE_BYTES_MAX = 32 * 1024 * 1024;
const REASON_LENGTH_MAX = 200;
export const TOO_MANY_REQUESTS = 429;
/** Where a refusal does not say for how long. */
const REST_MS = 1000;
/** What the venue counts together. Each list under `/data` and `/v2` has a limit of its own, and so has a refreshed balance. */
const PART = /^\/(data\/|v2\/|balance-allowance\/)?[^/?]*/;
/** A longest wait, so that one odd header does not stop calls for good. */
const REST_MS_MAX = 60_000;

/** What came back for a call. `restMs` is how long the venue asks to be left alone, if it does. */
export type CallAnswer = { method: string; path: string; status: number; body: unknown; restMs: number | null };

export type Query = Record<string, string | readonly string[]>;

type Headers = Record<string, string | number | boolean>;

/** JSON calls under one base address, public unless headers say who asks. They throw `VenueUnavailable` unless answered 200 with JSON, or with nothing (null), in time. */
export type JsonApi = {
  get(path: string, query: Query, given?: { headers?: Headers; priority?: ReadPriority }): Promise<unknown>;
  post(path: string, body: unknown, priority?: ReadPriority, headers?: Record<string, string>): Promise<unknown>;
};

/** Waits until a call of this kind may leave. Throws `VenueBusy` where that would take too long. */
export type ReadSlots = (kind: string, priority?: ReadPriority) => Promise<void>;

export function openReadSlots(limits: ReadonlyMap<string, ReadLimit>, now: () => Instant): ReadSlots {
  const budget = new ReadBudget(limits);
  return async (kind, priority = 'trading') => {
    const { isGranted, waitMs } = budget.takeSlot(kind, priority, now());
    if (!isGranted)
      throw new VenueBusy(`${kind} was not read: it is asked for more often than the venue allows`, waitMs);
    if (waitMs > 0) await new Promise<void>((resolve) => setTimeout(resolve, waitMs));
  };
}

/**
 * `timeoutMs` bounds each call from connecting to the last byte. Where the API asks to be left alone for a while, calls
 * to the same part of it fail until then without being sent.
 */
export function createJsonApi(
  baseUrl: string,
  timeoutMs: number,
  {
    now,
    network = { fetch },
    takeSlot = async () => {},
  }: { now: () => Instant; network?: Pick<VenueNetwork, 'fetch'>; takeSlot?: ReadSlots },
): JsonApi {
  const base = baseUrl.replace(/\/{1,9}$/, '');
  const restingUntil = new Map<string, number>();
  const call = async (path: string, init: RequestInit, priority?: ReadPriority): Promise<unknown> => {
    const what = `${init.method} ${path.split('?')[0]}`;
    const part = PART.exec(path)?.[0] ?? path;
    await takeSlot(part, priority);
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
    get: (path, query, { headers = {}, priority } = {}) => {
      const texts = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
      return call(withQuery(path, query), { method: 'GET', headers: texts }, priority);
    },
    post: (path, body, priority, given = {}) => {
      const headers = { 'content-type': 'application/json', ...given };
      return call(path, { method: 'POST', headers, body: JSON.stringify(body) }, priority);
    },
  };
}

/** How long the API is to be left alone: what `Retry-After` says, in seconds or as a date; null where it says nothing. */
export function restAskedFor(header: string | null, now: Instant): number | null {
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

async function parseJson(text: string, what: string): Promise<unknown> {
  try {
    return text === '' ? null : await parseInSlices(text);
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
