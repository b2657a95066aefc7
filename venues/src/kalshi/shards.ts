import { elapsedMs, type Instant } from '@dutchbook/units/instant.ts';
import type { ReadPriority } from '../read-budget.ts';
import { type VenueRuntime, VenueUnavailable } from '../venue.ts';
import type { KalshiApi } from './api.ts';
import { shardStatuses } from './wire.ts';

const READ_EVERY_MS = 5_000;

/** Which parts of the exchange take no orders now, each week at a time or alone at any: read beside their markets. */
export class Shards {
  readonly #api: Pick<KalshiApi, 'get'>;
  readonly #runtime: Pick<VenueRuntime, 'now' | 'log'>;
  #paused: ReadonlySet<string> = new Set();
  #readAt = 0 as Instant;

  constructor(api: Pick<KalshiApi, 'get'>, runtime: Pick<VenueRuntime, 'now' | 'log'>) {
    this.#api = api;
    this.#runtime = runtime;
  }

  isPaused(pocket: string): boolean {
    return this.#paused.has(pocket);
  }

  /** Asks unless it has lately. What the venue said last stands where it does not answer. */
  async refresh(priority: ReadPriority): Promise<void> {
    const now = this.#runtime.now();
    if (elapsedMs(this.#readAt, now) < READ_EVERY_MS) return;
    this.#readAt = now;
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
