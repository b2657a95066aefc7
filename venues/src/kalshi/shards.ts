import { elapsedMs, type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import type { ReadPriority } from '../read-budget.ts';
import { type VenueRuntime, VenueUnavailable } from '../venue.ts';
import type { KalshiApi } from './api.ts';
import { type ExchangeSchedule, exchangeSchedule, nextPause, type Pause } from './schedule.ts';
import { shardStatuses } from './wire.ts';

const READ_EVERY_MS = 5_000;
const SCHEDULE_READ_EVERY_MS = 3_600_000;
const SCHEDULE_TRIED_EVERY_MS = 60_000;

/** Which parts of the exchange take no orders now, each week at a time or alone at any: read beside their markets. */
export class Shards {
  readonly #api: Pick<KalshiApi, 'get'>;
  readonly #runtime: Pick<VenueRuntime, 'now' | 'log'>;
  #paused: ReadonlySet<string> = new Set();
  #readAt = 0 as Instant;
  #schedule: ExchangeSchedule | null = null;
  #scheduleDueAt = 0 as Instant;
  /** Found once, since each market of a listing asks for it. */
  #pause: Pause | null = null;

  constructor(api: Pick<KalshiApi, 'get'>, runtime: Pick<VenueRuntime, 'now' | 'log'>) {
    this.#api = api;
    this.#runtime = runtime;
  }

  isPaused(pocket: string): boolean {
    return this.#paused.has(pocket);
  }

  /** The next pause in the venue's schedule; null without one, or without a known schedule. */
  nextPause(): Pause | null {
    const now = this.#runtime.now();
    if (this.#schedule !== null && this.#pause !== null && this.#pause.until <= now)
      this.#pause = nextPause(this.#schedule, now);
    return this.#pause;
  }

  /** Asks unless it has lately. What the venue said last stands where it does not answer. */
  async refresh(priority: ReadPriority): Promise<void> {
    const now = this.#runtime.now();
    if (elapsedMs(this.#readAt, now) < READ_EVERY_MS) return;
    this.#readAt = now;
    await Promise.all([this.#readStatus(priority), this.#readSchedule(now, priority)]);
  }

  /** The pause of a week is shown before it begins. */
  async #readSchedule(now: Instant, priority: ReadPriority): Promise<void> {
    if (now < this.#scheduleDueAt) return;
    this.#scheduleDueAt = instantFromMs(now + SCHEDULE_TRIED_EVERY_MS);
    try {
      const parsed = exchangeSchedule.safeParse(await this.#api.get('/exchange/schedule', {}, priority));
      if (!parsed.success) throw new VenueUnavailable('the schedule of the exchange came in an unknown shape');
      this.#schedule = parsed.data.schedule;
      this.#pause = nextPause(this.#schedule, now);
      this.#scheduleDueAt = instantFromMs(now + SCHEDULE_READ_EVERY_MS);
    } catch (error) {
      if (!(error instanceof VenueUnavailable)) throw error;
      this.#runtime.log.warn({ reason: error.message }, 'kalshi schedule not read');
    }
  }

  async #readStatus(priority: ReadPriority): Promise<void> {
    try {
      const parsed = shardStatuses.safeParse(await this.#api.get('/exchange/status', {}, priority));
      if (!parsed.success) throw new VenueUnavailable('the status of the exchange came in an unknown shape');
      const paused = parsed.data.exchange_index_statuses.filter(
        (each) => !each.exchange_active || !each.trading_active,
      );
      this.#paused = new Set(paused.map(({ exchange_index }) => String(exchange_index)));
    } catch (error) {
      if (!(error instanceof VenueUnavailable)) throw error;
      this.#runtime.log.warn({ reason: error.message }, 'kalshi shards not read');
    }
  }
}
