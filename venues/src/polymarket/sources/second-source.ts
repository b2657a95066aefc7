/** The CLOB's word on markets of the catalogue: read once a market is asked for by its id, kept, and held against Gamma's. */

import type { Market, SourceDifference } from '@dutchbook/engine/market/market.ts';
import type { MarketId } from '@dutchbook/units/ids.ts';
import { elapsedMs, type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { tickToNumber } from '@dutchbook/units/price.ts';
import type { ReadPriority } from '../../read-budget.ts';
import type { JsonApi } from '../../transport.ts';
import { type VenueRuntime, VenueUnavailable } from '../../venue.ts';
import type { Ticks } from '../ticks.ts';
import { type ClobMarket, clobMarket } from '../wire.ts';
import { type BookTick, compareSources } from './compare.ts';

const LONG_AGO = instantFromMs(0);
const READ_AGAIN_MS = 600_000;
/** When to read again a market that differs, or that the CLOB lacks: it lists new ones minutes after Gamma. */
const READ_SOON_MS = 5_000;
/** A single opportunity is waited for; of more markets at once, each is compared when its slot comes. */
const AWAITED_MAX = 50;
const READ_AT_ONCE = 8;
/** Gamma may be so far behind a change of the tick. */
const GAMMA_BEHIND_MS = 600_000;

/** Null where the CLOB does not have the market: then there is one source only. */
type Read = { clob: ClobMarket | null; at: Instant };

type SecondSourceParts = {
  clob: JsonApi;
  runtime: Pick<VenueRuntime, 'now' | 'log'>;
  ticks: Ticks;
  /** The market by Gamma, as last read. */
  listed: (marketId: MarketId) => Market | undefined;
  /** A market was compared that had not been, or something else differs than before. */
  onChange: (marketIds: readonly MarketId[]) => void;
};

export class SecondSource {
  readonly #parts: SecondSourceParts;
  readonly #read = new Map<string, Read>();
  readonly #differences = new Map<string, readonly SourceDifference[]>();
  readonly #waiting = new Set<string>();
  readonly #underWay = new Map<string, Promise<void>>();
  #isDraining = false;

  constructor(parts: SecondSourceParts) {
    this.#parts = parts;
  }

  /** Null until the market was compared. */
  differences(marketId: MarketId): readonly SourceDifference[] | null {
    return this.#differences.get(marketId) ?? null;
  }

  /** Compares again: Gamma was read. */
  compare(marketId: MarketId): void {
    const before = this.#differences.get(marketId);
    const now = this.#compared(marketId);
    if (now === null || JSON.stringify(now) === JSON.stringify(before)) return;
    this.#differences.set(marketId, now);
    this.#parts.onChange([marketId]);
  }

  /** Everything is due. */
  forget(): void {
    for (const read of this.#read.values()) read.at = LONG_AGO;
  }

  /** Has those read that are due. Never throws: what cannot be read stays as it is known. */
  async follow(marketIds: readonly MarketId[], priority: ReadPriority): Promise<void> {
    const due = marketIds.filter((id) => this.#isDue(id));
    const urgent = due.filter((id) => (this.#differences.get(id)?.length ?? 1) > 0);
    if (priority === 'following' && urgent.length > AWAITED_MAX) return this.#queue(due);
    this.#queue(due.filter((id) => !urgent.includes(id)));
    await eachOf(urgent, (id) => this.#readOnce(id, priority));
  }

  #queue(marketIds: readonly MarketId[]): void {
    for (const id of marketIds) this.#waiting.add(id);
    if (!this.#isDraining) void this.#drain();
  }

  async #drain(): Promise<void> {
    this.#isDraining = true;
    while (this.#waiting.size > 0) {
      const waiting = [...this.#waiting];
      this.#waiting.clear();
      await eachOf(waiting, (id) => this.#readOnce(id, 'following'));
    }
    this.#isDraining = false;
  }

  #isDue(marketId: MarketId): boolean {
    const read = this.#read.get(marketId);
    if (read === undefined || this.#bookTick(marketId)?.state === 'unconfirmed') return true;
    const hasAgreed = read.clob !== null && (this.#differences.get(marketId) ?? []).length === 0;
    return elapsedMs(read.at, this.#parts.runtime.now()) >= (hasAgreed ? READ_AGAIN_MS : READ_SOON_MS);
  }

  #readOnce(marketId: MarketId, priority: ReadPriority): Promise<void> {
    const underWay = this.#underWay.get(marketId);
    if (underWay !== undefined) return underWay;
    const reading = this.#readNow(marketId, priority).finally(() => this.#underWay.delete(marketId));
    this.#underWay.set(marketId, reading);
    return reading;
  }

  async #readNow(marketId: MarketId, priority: ReadPriority): Promise<void> {
    const { clob, runtime } = this.#parts;
    try {
      this.#read.set(marketId, { clob: await readClob(clob, marketId, priority), at: runtime.now() });
      this.compare(marketId);
    } catch (error) {
      if (!(error instanceof VenueUnavailable)) throw error;
      runtime.log.warn({ marketId, reason: error.message }, 'market not compared, the CLOB did not answer');
    }
  }

  #compared(marketId: MarketId): readonly SourceDifference[] | null {
    const read = this.#read.get(marketId);
    const listed = this.#parts.listed(marketId);
    if (read === undefined || listed === undefined) return null;
    return read.clob === null ? [] : compareSources(listed, read.clob, this.#bookTick(marketId));
  }

  #bookTick(marketId: MarketId): BookTick | null {
    const { ticks, listed, runtime } = this.#parts;
    const [tokenId] = (listed(marketId)?.outcomes ?? []).flatMap((outcome) =>
      ticks.of(outcome.tokenId) ? [outcome.tokenId] : [],
    );
    const known = tokenId === undefined ? undefined : ticks.of(tokenId);
    if (known === undefined || tokenId === undefined) return null;
    const tick = tickToNumber(known);
    const movedAt = ticks.movedAt(tokenId);
    if (movedAt === null || elapsedMs(movedAt, runtime.now()) >= GAMMA_BEHIND_MS) return { tick, state: 'steady' };
    return { tick, state: movedAt > (this.#read.get(marketId)?.at ?? 0) ? 'unconfirmed' : 'moved' };
  }
}

/** Null where the CLOB does not have it. Throws `VenueUnavailable`. */
async function readClob(clob: JsonApi, marketId: MarketId, priority: ReadPriority): Promise<ClobMarket | null> {
  try {
    const answer = clobMarket.safeParse(
      await clob.get(`/clob-markets/${encodeURIComponent(marketId)}`, {}, { priority }),
    );
    if (!answer.success) throw new VenueUnavailable('the market came in an unknown shape');
    return answer.data;
  } catch (error) {
    if (error instanceof VenueUnavailable && error.cause === 404) return null;
    throw error;
  }
}

/** A few at a time. */
async function eachOf<Item>(items: Iterable<Item>, work: (item: Item) => Promise<void>): Promise<void> {
  const next = items[Symbol.iterator]();
  const worker = async () => {
    for (let step = next.next(); !step.done; step = next.next()) await work(step.value);
  };
  await Promise.all(Array.from({ length: READ_AT_ONCE }, worker));
}
