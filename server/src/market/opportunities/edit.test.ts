import { NOT_ASKED } from '@dutchbook/engine/relation/why-not-taken.ts';
import type { Percent } from '@dutchbook/units/percent.ts';
import { priceFromText, setPriceFromNumber } from '@dutchbook/units/price.ts';
import { USD_ZERO } from '@dutchbook/units/usd.ts';
import { sql } from 'drizzle-orm';
import { describe, expect, it, vi } from 'vitest';
import type { Db } from '../../platform/runtime/runtime.ts';
import { activeBatchOf } from '../../trading/orders/batch-store.ts';
import { openDesk } from '../prices/live-prices.fixture.ts';
import { writePrices } from '../prices/price-writer.ts';
import { recordTrigger } from '../prices/trigger.ts';
import { deleteOpportunity } from './deletion.ts';
import { editOpportunity } from './edit.ts';
import { recordPricePoints } from './history/store.ts';
import type { StoredOpportunity } from './store.ts';

const ACTOR = { id: null, email: 'operator@example.com', address: '127.0.0.1' };
const ZERO = 0 as Percent;
const thresholdPct = ZERO;

function pricedAt(row: StoredOpportunity, price: string, now: StoredOpportunity['lastChecked']): StoredOpportunity {
  return { ...row, currentPrice: priceFromText(price), feesPerSet: USD_ZERO, profitPercentage: ZERO, lastChecked: now };
}

function write(db: Db, row: StoredOpportunity) {
  return writePrices(db, [{ row, falls: false, isPointDue: false, claim: null }]);
}

const BLOCKED = sql`pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

/** Until so many connections wait for what `tx` holds. */
async function untilWaiting(tx: Db, connections: number): Promise<void> {
  await vi.waitFor(async () => {
    const { rows } = (await tx.execute(
      sql`select pg_stat_clear_snapshot(), (select count(*)::int from ${BLOCKED})`,
    )) as unknown as {
      rows: [{ count: number }];
    };
    expect(rows[0].count).toBe(connections);
  }, 60_000);
}

describe('an edit and those who judged the opportunity before it', () => {
  it('has the last word: neither their price nor their trigger is of the row as it is now', async () => {
    await using desk = await openDesk();
    const { runtime } = desk.test;
    const before = await desk.add(['rain Yes']);
    const judged = {
      ...before,
      currentPrice: priceFromText('0.9'),
      feesPerSet: USD_ZERO,
      profitPercentage: 11_111_111 as Percent,
      lastChecked: runtime.clock.now(),
    };
    const edit = { targetPrice: priceFromText('0.5') };
    const edited = await editOpportunity(runtime, { id: before.id, edit, thresholdPct, actor: ACTOR });
    expect(edited).toMatchObject({ isChanged: true, row: { targetPrice: 500_000, profitPercentage: null } });
    const outcomes = await writePrices(runtime.db, [{ row: judged, falls: false, isPointDue: false, claim: null }]);
    expect(outcomes.get(before.id)).toBe('newer_stands');
    const bought: string[] = [];
    const trigger = (row: typeof judged) =>
      recordTrigger(
        runtime,
        row,
        null,
        {
          look: () => async () => {
            bought.push(row.id);
            return { refusals: [] };
          },
        },
        [],
      );
    expect(await trigger(judged)).toEqual({ kind: 'gone' });
    expect(bought).toEqual([]);
    expect(await desk.stored(before.id)).toMatchObject({ currentPrice: null, triggered: false });
    const { updatedAt } = await desk.stored(before.id);
    expect(await trigger({ ...judged, updatedAt })).toEqual({ kind: 'recorded', batchId: null, refusal: NOT_ASKED });
    expect(bought).toEqual([before.id]);
  });

  it('has the last word over those who come while it is under way', async () => {
    await using desk = await openDesk();
    const { runtime } = desk.test;
    const before = await desk.add(['rain Yes']);
    const judged = pricedAt(before, '0.9', runtime.clock.now());
    const edit = { targetPrice: priceFromText('0.5') };
    const late = await runtime.db.transaction(async (tx) => {
      await editOpportunity({ ...runtime, db: tx }, { id: before.id, edit, thresholdPct, actor: ACTOR });
      const coming = [write(runtime.db, judged), recordTrigger(runtime, judged, null, { refusals: [] }, [])] as const;
      await untilWaiting(tx, coming.length);
      return coming;
    });
    expect((await late[0]).get(before.id)).toBe('newer_stands');
    expect(await late[1]).toEqual({ kind: 'gone' });
    expect(await desk.stored(before.id)).toMatchObject({ currentPrice: null, triggered: false, rises: 0 });
  });

  it('judges by a price that is being written when it begins', async () => {
    await using desk = await openDesk();
    const { runtime } = desk.test;
    const before = await desk.add(['rain Yes']);
    const edit = { targetPrice: priceFromText('0.5') };
    const editing = await runtime.db.transaction(async (tx) => {
      await write(tx, pricedAt(before, '0.4', runtime.clock.now()));
      const coming = editOpportunity(runtime, { id: before.id, edit, thresholdPct, actor: ACTOR });
      await untilWaiting(tx, 1);
      return [coming] as const;
    });
    await editing[0];
    expect(await desk.stored(before.id)).toMatchObject({ currentPrice: 400_000, profitPercentage: 25_000_000 });
  });

  it('and a deletion wait for a price and its point in the history, which do not wait for them', async () => {
    await using desk = await openDesk();
    const { runtime } = desk.test;
    const before = await desk.add(['rain Yes']);
    const priced = pricedAt(before, '0.4', runtime.clock.now());
    const edit = { targetPrice: priceFromText('0.5') };
    const waiting = await runtime.db.transaction(async (tx) => {
      await write(tx, priced);
      const editing = editOpportunity(runtime, { id: before.id, edit, thresholdPct, actor: ACTOR });
      await untilWaiting(tx, 1);
      const deleting = deleteOpportunity(
        runtime,
        before.id,
        { id: runtime.random.uuid() },
        activeBatchOf,
        async () => {},
      );
      await untilWaiting(tx, 2);
      expect(await recordPricePoints(tx, [priced])).toEqual(new Set([before.id]));
      return [editing, deleting] as const;
    });
    expect(await waiting[0]).toMatchObject({ isChanged: true });
    expect(await waiting[1]).toBe('deleted');
  });

  it('keeps a trigger on that had gone off just before it, where the new target pays: here and in the database', async () => {
    await using desk = await openDesk();
    desk.venue.list('rain');
    const price = (ask: string) => desk.venue.setBooks({ 'rain:yes': { asks: [[ask, '500']] } });
    price('0.90');
    const { id } = await desk.add(['rain Yes']);
    const { live } = await desk.start();
    await desk.untilStored(id, { triggered: true });
    await desk.test.idle();
    price('1.00');
    const edit = { targetPrice: setPriceFromNumber(1.15) };
    await editOpportunity(desk.test.runtime, { id, edit, thresholdPct, actor: ACTOR });
    await live.readChanges();
    await live.flush();
    const stored = await desk.stored(id);
    expect(stored).toMatchObject({ triggered: true, currentPrice: 1_000_000, profitPercentage: 15_000_000 });
    expect(live.rowsNow([stored])).toMatchObject([{ triggered: true }]);
    expect(desk.placed).toEqual([id]);
  });

  it('never shares its moment with another, however quickly they follow each other', async () => {
    await using desk = await openDesk();
    const { runtime } = desk.test;
    const { id } = await desk.add(['rain Yes']);
    const versions = new Set([(await desk.stored(id)).updatedAt]);
    for (const active of [false, true, false]) {
      await editOpportunity(runtime, { id, edit: { active }, thresholdPct, actor: ACTOR });
      versions.add((await desk.stored(id)).updatedAt);
    }
    expect(versions.size).toBe(4);
  });
});
