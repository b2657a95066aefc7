import { elapsedMs, type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import type { ReadLimit, ReadPriority } from '../read-budget.ts';
import { createJsonApi, openReadSlots, type Query, RESPONSE_BYTES_MAX } from '../transport.ts';
import { type VenueRuntime, VenueUnavailable } from '../venue.ts';
import type { KalshiConfig } from './config.ts';
import type { Signer } from './signing.ts';

/** What the venue answered to a call that changes something: `body` as JSON, or as text where it is none. */
export type Answer = { status: number; body: unknown };

/** Calls below the venue's address, signed where there is a key. */
export type KalshiApi = {
  readonly isSigned: boolean;
  /** Throws `VenueUnavailable`. */
  get(path: string, query?: Query, priority?: ReadPriority): Promise<unknown>;
  /** Sends once, and answers whatever came back. Throws `VenueUnavailable` when no whole answer came. */
  send(method: 'POST' | 'DELETE', path: string, body: object): Promise<Answer>;
  /** How many reads a second the venue takes from now on. */
  limitReads(perSecond: number): void;
  /** How far the venue's clock was ahead of this machine's at the last answer, rounded down to a second; 0 before the first. */
  skewMs(): number;
};

/** Reads of the smallest tier, until the venue has named the account's; all reads share one bucket. */
const READS_PER_SECOND = 20;
const ALL_READS = 'reads';
const UNAUTHORIZED = 401;
/** A clock that is further off may be why a signature is refused. */
const CLOSE_ENOUGH_MS = 3_000;

export function openApi(config: KalshiConfig, signer: Signer | null, runtime: VenueRuntime): KalshiApi {
  const clock = new VenueClock(runtime);
  const limits = new Map<string, ReadLimit>([[ALL_READS, { calls: READS_PER_SECOND, windowMs: 1_000 }]]);
  const takeSlot = openReadSlots(limits, runtime.now);
  const json = createJsonApi(config.apiUrl, config.requestTimeoutMs, {
    now: runtime.now,
    network: { fetch: clock.fetch },
    takeSlot: (_part, priority) => takeSlot(ALL_READS, priority),
  });
  const below = new URL(config.apiUrl).pathname.replace(/\/{1,9}$/, '');
  const signed = (method: string, path: string) =>
    signer === null ? {} : signer(method, `${below}${path}`, runtime.now());
  return {
    isSigned: signer !== null,
    get: async (path, query = {}, priority) => {
      try {
        const headers = signed('GET', path);
        return await json.get(path, query, { headers, ...(priority === undefined ? {} : { priority }) });
      } catch (error) {
        throw error instanceof VenueUnavailable && error.cause === UNAUTHORIZED ? clock.explained(error) : error;
      }
    },
    send: async (method, path, body) => {
      const headers = { ...signed(method, path), 'content-type': 'application/json' };
      const signal = AbortSignal.timeout(config.requestTimeoutMs);
      const call = { method, headers, body: JSON.stringify(body), redirect: 'error', signal } as const;
      const answer = await clock.fetch(`${config.apiUrl}${path}`, call).then(wholeAnswer).catch(noAnswer);
      if (answer.status !== UNAUTHORIZED) return answer;
      return { ...answer, body: `${JSON.stringify(answer.body)}${clock.remark()}` };
    },
    limitReads: (perSecond) => {
      limits.set(ALL_READS, { calls: perSecond, windowMs: 1_000 });
    },
    skewMs: () => clock.skewMs,
  };
}

async function wholeAnswer(response: Response): Promise<Answer> {
  const text = await response.text();
  if (text.length > RESPONSE_BYTES_MAX) throw new Error('the answer is too large');
  return { status: response.status, body: readJson(text) };
}

function noAnswer(error: unknown): never {
  throw new VenueUnavailable(error instanceof Error ? error.message : String(error));
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The venue's clock, by the date of its answers. */
class VenueClock {
  readonly #runtime: VenueRuntime;
  skewMs = 0;

  constructor(runtime: VenueRuntime) {
    this.#runtime = runtime;
  }

  readonly fetch: typeof fetch = async (input, init) => {
    const call = this.#runtime.network?.fetch ?? fetch;
    const response = await call(input, init);
    const ms = Date.parse(response.headers.get('date') ?? '');
    if (!Number.isNaN(ms)) this.skewMs = elapsedMs(this.#runtime.now(), instantFromMs(ms));
    return response;
  };

  /** A signature carries the time: the venue refuses one that is dated wrong as if the key were. */
  remark(): string {
    const seconds = Math.round(Math.abs(this.skewMs) / 1000);
    if (Math.abs(this.skewMs) <= CLOSE_ENOUGH_MS) return '';
    const where = this.skewMs > 0 ? 'behind' : 'ahead of';
    return ` (this machine's clock is ${seconds} s ${where} the venue's, and signatures are dated by it)`;
  }

  explained({ message, cause }: VenueUnavailable): VenueUnavailable {
    return new VenueUnavailable(`${message}${this.remark()}`, { cause });
  }
}

/** What the venue's clock shows at most, when this machine's shows `now`. */
export function venueTimeAtMost(api: Pick<KalshiApi, 'skewMs'>, now: Instant): Instant {
  return instantFromMs(now + api.skewMs() + 1_000);
}
