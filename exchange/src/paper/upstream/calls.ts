import { backOffMs } from '@dutchbook/units/back-off.ts';
import type { Pace } from '../options.ts';
import { VenueClock } from './venue-clock.ts';

/** Raised when the venue that is mirrored did not answer, or not with what was asked for. */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError';
  /** Null where there was no answer. */
  readonly status: number | null;

  constructor(message: string, status: number | null = null) {
    super(message);
    this.status = status;
  }
}

export interface UpstreamAnswer {
  readonly status: number;
  readonly text: string;
}

/** Far more than the longest page. */
const BODY_MAX = 64_000_000;
const RETRY_AFTER_MAX_MS = 60_000;
/** Longer a call of a client does not wait for its turn. */
const WAIT_MAX_MS = 3_000;

/** REST of the venue that is mirrored, within a budget of calls. */
export class UpstreamCalls {
  readonly #base: string;
  readonly #pace: Pace;
  readonly #stop = new AbortController();
  readonly clock = new VenueClock();
  /** When the next call of the budget may begin, on the clock of `performance.now()`. */
  #nextAtMs = 0;

  constructor(base: string, pace: Pace) {
    this.#base = base.replace(/\/$/, '');
    this.#pace = pace;
  }

  close(): void {
    this.#stop.abort();
  }

  get isClosed(): boolean {
    return this.#stop.signal.aborted;
  }

  /**
   * Reads JSON within the budget, and again after a failure, 429 and what `read` cannot make sense of.
   * @throws UpstreamError once the attempts or `withinMs` are used up
   */
  async read<T>(path: string, read: (body: unknown) => T | undefined, withinMs = Number.POSITIVE_INFINITY): Promise<T> {
    const untilMs = performance.now() + withinMs;
    for (let attempt = 0; ; attempt++) {
      if (this.#nextAtMs >= untilMs) throw new UpstreamError(`${path} would have waited too long for its turn`);
      await this.#slot();
      const outcome = await this.#attempt(path, read, untilMs - performance.now());
      if ('value' in outcome) return outcome.value;
      const { backoffMinMs, backoffMaxMs } = this.#pace;
      const pauseMs = backOffMs(attempt, { firstMs: backoffMinMs, slowestMs: backoffMaxMs });
      const isLast = attempt + 1 >= this.#pace.attempts || !outcome.mayRetry || this.isClosed;
      if (isLast || performance.now() + pauseMs >= untilMs) throw outcome.error;
      await this.#sleep(pauseMs);
    }
  }

  /** One call outside of the budget, answered as the venue answers it. @throws UpstreamError without an answer */
  async pass(method: string, path: string, body?: string): Promise<UpstreamAnswer> {
    const response = await this.#fetch(path, {
      method,
      ...(body === undefined ? {} : { body, headers: { 'content-type': 'application/json' } }),
    });
    return { status: response.status, text: await textOf(response) };
  }

  /**
   * One call within the budget, answered as the venue answers it; undefined where too many wait already.
   * @throws UpstreamError without an answer
   */
  async passInTurn(path: string): Promise<UpstreamAnswer | undefined> {
    if (this.#nextAtMs - performance.now() > WAIT_MAX_MS) return undefined;
    await this.#slot();
    return await this.pass('GET', path);
  }

  async #attempt<T>(path: string, read: (body: unknown) => T | undefined, withinMs: number): Promise<Attempt<T>> {
    try {
      const response = await this.#fetch(path, { method: 'GET' }, withinMs);
      const text = await textOf(response);
      if (response.ok) {
        const value = read(parsed(text));
        if (value !== undefined) return { value };
        return { error: new UpstreamError(`${path} was answered with something else`), mayRetry: true };
      }
      const { status } = response;
      const mayRetry = status === 429 || status >= 500;
      const afterMs = Math.min(RETRY_AFTER_MAX_MS, Number(response.headers.get('retry-after') ?? 0) * 1000 || 0);
      // The venue means all calls, not this one.
      this.#nextAtMs = Math.max(this.#nextAtMs, performance.now() + afterMs);
      return { error: new UpstreamError(`${path} was answered with ${status}`, status), mayRetry };
    } catch (error) {
      return { error: asUpstreamError(error), mayRetry: true };
    }
  }

  async #fetch(path: string, init: RequestInit, withinMs = Number.POSITIVE_INFINITY): Promise<Response> {
    try {
      const timeoutMs = Math.max(1, Math.ceil(Math.min(this.#pace.timeoutMs, withinMs)));
      const signal = AbortSignal.any([this.#stop.signal, AbortSignal.timeout(timeoutMs)]);
      const askedAtMs = performance.now();
      const response = await fetch(`${this.#base}${path}`, { ...init, signal });
      // A cached answer has the time at which it was cached.
      const isKept = Number(response.headers.get('age') ?? 0) > 0;
      if (!isKept) this.clock.noteAnswer(response.headers.get('date'), askedAtMs, performance.now());
      return response;
    } catch (error) {
      throw asUpstreamError(error);
    }
  }

  async #slot(): Promise<void> {
    const now = performance.now();
    const at = Math.max(now, this.#nextAtMs);
    this.#nextAtMs = at + 1000 / this.#pace.callsPerSecond;
    if (at > now) await this.#sleep(at - now);
  }

  #sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      if (this.isClosed) return resolve();
      const done = () => {
        clearTimeout(timer);
        this.#stop.signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, ms).unref();
      this.#stop.signal.addEventListener('abort', done);
    });
  }
}

type Attempt<T> = { readonly value: T } | { readonly error: UpstreamError; readonly mayRetry: boolean };

async function textOf(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of response.body ?? []) {
    length += part.byteLength;
    if (length > BODY_MAX) throw new UpstreamError(`an answer has more than ${BODY_MAX} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** Undefined where it is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function asUpstreamError(error: unknown): UpstreamError {
  if (error instanceof UpstreamError) return error;
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : '';
  return new UpstreamError(cause || (error instanceof Error ? error.message : String(error)));
}
