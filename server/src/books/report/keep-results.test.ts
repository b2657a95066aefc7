import type { Position } from '@dutchbook/engine/opportunity/position.ts';
import { eventOf, marketOf } from '@dutchbook/engine/opportunity/quotes.fixture.ts';
import { exclusiveOf, memberOf } from '@dutchbook/engine/relation/catalogue-event.fixture.ts';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { priceFromText } from '@dutchbook/units/price.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import { usdFromText } from '@dutchbook/units/usd.ts';
import { eq, sql } from 'drizzle-orm';
import { afterEach, describe, expect, it } from 'vitest';
import { keepEvents } from '../../market/discovery/keep-events.ts';
import type { LiveQuote, Quotes } from '../../market/markets/live-quotes.ts';
import { opportunities } from '../../market/opportunities/table.ts';
import { relations } from '../../market/relations/table.ts';
import { onlyEngine } from '../../platform/engines/engines.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import { halfBought } from '../../trading/execution/runner/half-bought.fixture.ts';
import { until } from '../../trading/execution/runner/runner.fixture.ts';
import { batches, fills } from '../../trading/orders/table.ts';
import { keepResults } from './keep-results.ts';
import { batchResults, legResults } from './table.ts';

const NO_QUOTES: Pick<Quotes, 'current'> = { current: () => [] };
const { partitions } = onlyEngine();
type Half = Awaited<ReturnType<typeof halfBought>>;

let half: Half;
afterEach(() => half[Symbol.asyncDispose]());

const partsOf = (runtime: Runtime, quotes = NO_QUOTES) => ({ runtime, quotes, partitions });
const resultOf = async () => (await half.test.runtime.db.select().from(batchResults))[0];
const isDue = async () => (await half.test.runtime.db.select({ is: batches.resultsDue }).from(batches))[0]?.is;

/** Ten shares of one leg and four of the other, each at 0.40. */
async function open() {
  half = await halfBought();
  return half.test.runtime;
}

describe('what is kept of a batch', () => {
  it('is what it promised and its result, leg by leg', async () => {
    const runtime = await open();
    expect(await isDue()).toBe(true);
    await keepResults(partsOf(runtime));
    expect(await isDue()).toBe(false);
    expect(await resultOf()).toMatchObject({
      ...{ batchId: half.batchId, automatic: false, eventId: 'market-101', eventTitle: 'Market 101' },
      ...{ predictedCost: usdFromText('8'), predictedFees: 0, predictedProfit: usdFromText('2') },
      ...{ paid: usdFromText('5.6'), legs: 2, filledLegs: 1, shortfall: usdFromText('1.2') },
      ...{ lockedProfit: usdFromText('0.8'), atRisk: usdFromText('2.4'), locked: usdFromText('5.6'), cashDay: null },
    });
    const legs = await runtime.db.select().from(legResults).orderBy(legResults.leg);
    expect(legs).toMatchObject([
      { leg: 1, ordered: sharesFromText('10'), filled: sharesFromText('10'), predictedPrice: priceFromText('0.4') },
      { leg: 2, filled: sharesFromText('4'), paid: usdFromText('1.6'), movedInFlight: 0 },
    ]);
  });

  it('changes with the batch, but for what it promised', async () => {
    const runtime = await open();
    await keepResults(partsOf(runtime));
    const before = await resultOf();
    half.offerAt(0.42);
    half.fillOnly(sharesFromText('6'));
    await half.retry();
    half.placing.wake(half.batchId);
    await until(half.test, half.batchId, ({ batch }) => batch.status === 'completed');
    await runtime.db.update(batches).set({ targetProfit: usdFromText('99') });
    await keepResults(partsOf(runtime));
    expect(await resultOf()).toMatchObject({
      ...{ triggeredAt: before?.triggeredAt, predictedCost: usdFromText('8'), predictedProfit: usdFromText('2') },
      ...{ atRisk: 0, shortfall: 0, movedBeforeSend: usdFromText('0.12'), sizeAdded: 0, movedInFlight: 0 },
      lockedProfit: usdFromText('1.88'),
    });
  });

  it('counts a trade that is undone later once: its profit, its risk, and the day it was locked on', async () => {
    const runtime = await open();
    const settledAt = runtime.clock.now();
    await runtime.db.update(fills).set({ settlement: 'confirmed', settledAt });
    await keepResults(partsOf(runtime));
    const today = new Date(settledAt).toISOString().slice(0, 10);
    expect(await resultOf()).toMatchObject({ lockDay: today, lockedProfit: usdFromText('0.8'), undoneFills: 0 });
    const undone = eq(fills.size, sharesFromText('4'));
    const later = instantFromMs(settledAt + 600_000);
    await runtime.db.update(fills).set({ settlement: 'failed', settledAt: later }).where(undone);
    await runtime.db.update(batches).set({ resultsDue: true });
    for (let time = 0; time < 2; time += 1) {
      await keepResults(partsOf(runtime));
      expect(await resultOf()).toMatchObject({
        ...{ lockDay: null, lockedProfit: 0, atRisk: usdFromText('4'), locked: usdFromText('4') },
        ...{ undoneFills: 1, fillCount: 1, shortfall: usdFromText('2') },
      });
      await runtime.db.update(batches).set({ resultsDue: true });
    }
  });

  it('is of the event and ends with the last market that quotes know of', async () => {
    const runtime = await open();
    const endDate = instantFromMs(Date.UTC(2027, 0, 31));
    const quotes = {
      current: (positions: readonly Position[]) =>
        positions.map(({ leg, marketId, outcome }): LiveQuote => {
          const market = marketOf(marketId, { event: eventOf({ id: 'cup', title: 'Who wins?' }), endDate });
          const unknown = { tokenId: null, book: undefined, midpoint: null, lastTrade: null, bookAgeMs: null };
          return { ...{ leg, marketId, outcome, market, feed: 'none' }, ...unknown };
        }),
    };
    await keepResults(partsOf(runtime, quotes));
    const kept = { eventId: 'cup', eventTitle: 'Who wins?', releaseAt: endDate, releaseMonth: '2027-01' };
    expect(await resultOf()).toMatchObject(kept);
  });

  it('is of the relation that found it, and of the event that discovery has read, where no quote knows it', async () => {
    const runtime = await open();
    const { db } = runtime;
    const endDate = instantFromMs(Date.UTC(2026, 11, 1));
    const members = ['market-101', 'market-102'].map((marketId) => memberOf(marketId, { endDate }));
    await keepEvents(runtime, [exclusiveOf(members, { id: 'cup', title: 'Who wins?' })], 1);
    const [relation] = await db.select().from(relations);
    await db.update(opportunities).set({ relationId: relation?.id ?? null, source: 'discovery' });
    await keepResults(partsOf(runtime));
    expect(await resultOf()).toMatchObject({
      ...{ eventId: 'cup', eventTitle: 'Who wins?', releaseAt: endDate, releaseMonth: '2026-12' },
      ...{ source: 'discovery', structure: relation?.kind, basis: relation?.basis },
    });
    expect(relation).toMatchObject({ eventId: 'cup' });
  });

  it('stays due where the batch changes while it is worked out', async () => {
    const runtime = await open();
    await runtime.db.execute(sql`create function change_batch() returns trigger language plpgsql as
      $$ begin update batches set last_error = 'changed'; return null; end $$`);
    await runtime.db.execute(sql`create trigger change_batch after insert or update on batch_results
      for each row execute function change_batch()`);
    await keepResults(partsOf(runtime));
    expect(await isDue()).toBe(true);
    await runtime.db.execute(sql`drop trigger change_batch on batch_results`);
    await keepResults(partsOf(runtime));
    expect(await isDue()).toBe(false);
  });

  it('stays due, and blocks nothing, where the batch is just being changed', async () => {
    const runtime = await open();
    await runtime.priorityDb.transaction(async (tx) => {
      await tx.update(batches).set({ lastError: 'changed' });
      await keepResults(partsOf(runtime));
    });
    expect(await isDue()).toBe(true);
    await keepResults(partsOf(runtime));
    expect(await isDue()).toBe(false);
  });

  it('is nothing of what was only simulated, which is not looked at again', async () => {
    const runtime = await open();
    await runtime.db.update(batches).set({ simulated: true });
    await keepResults(partsOf(runtime));
    expect(await isDue()).toBe(false);
    expect(await resultOf()).toBeUndefined();
  });
});
