import type { Percent } from '@dutchbook/units/percent.ts';
import { priceFromText, setPriceFromNumber } from '@dutchbook/units/price.ts';
import { USD_ZERO } from '@dutchbook/units/usd.ts';
import { describe, expect, it } from 'vitest';
import { openDesk } from '../trading/prices/live-prices.fixture.ts';
import { writePrices } from '../trading/prices/price-writer.ts';
import { recordTrigger } from '../trading/prices/trigger.ts';
import { testDatabases } from '../world/test-world.ts';
import { editOpportunity } from './edit.ts';

const ACTOR = { id: null, email: 'operator@example.com', address: '127.0.0.1' };
const thresholdPct = 0 as Percent;

describe.each(testDatabases)('an edit and those who judged the opportunity before it, on %s', (kind) => {
  it('has the last word: neither their price nor their trigger is of the row as it is now', async () => {
    await using desk = await openDesk(kind);
    const { world } = desk.test;
    const before = await desk.add(['rain Yes']);
    const judged = {
      ...before,
      currentPrice: priceFromText('0.9'),
      feesPerSet: USD_ZERO,
      profitPercentage: 11_111_111 as Percent,
      lastChecked: world.clock.now(),
    };
    const edit = { targetPrice: priceFromText('0.5') };
    const edited = await editOpportunity(world, { id: before.id, edit, thresholdPct, actor: ACTOR });
    expect(edited).toMatchObject({ isChanged: true, row: { targetPrice: 500_000, profitPercentage: null } });
    const outcomes = await writePrices(world.db, [{ row: judged, falls: false, isPointDue: false, claim: null }]);
    expect(outcomes.get(before.id)).toBe('newer_stands');
    const bought: string[] = [];
    const trigger = (row: typeof judged) =>
      recordTrigger(world, row, null, {
        decide: async () => {
          bought.push(row.id);
          return null;
        },
      });
    expect(await trigger(judged)).toMatchObject({ ours: false, stands: false });
    expect(bought).toEqual([]);
    expect(await desk.stored(before.id)).toMatchObject({ currentPrice: null, triggered: false });
    const { updatedAt } = await desk.stored(before.id);
    expect(await trigger({ ...judged, updatedAt })).toMatchObject({ ours: true, stands: true });
    expect(bought).toEqual([before.id]);
  });

  it('keeps a trigger on that had gone off just before it, where the new target pays: here and in the database', async () => {
    await using desk = await openDesk(kind);
    desk.venue.list('rain');
    const price = (ask: string) => desk.venue.setBooks({ 'rain:yes': { asks: [[ask, '500']] } });
    price('0.90');
    const { id } = await desk.add(['rain Yes']);
    const { live } = await desk.start();
    await desk.untilStored(id, { triggered: true });
    await desk.test.idle();
    price('1.00');
    const edit = { targetPrice: setPriceFromNumber(1.15) };
    await editOpportunity(desk.test.world, { id, edit, thresholdPct, actor: ACTOR });
    await live.notice();
    await live.flush();
    const stored = await desk.stored(id);
    expect(stored).toMatchObject({ triggered: true, currentPrice: 1_000_000, profitPercentage: 15_000_000 });
    expect(live.rowsNow([stored])).toMatchObject([{ triggered: true }]);
    expect(desk.placed).toEqual([id]);
  });

  it('never shares its moment with another, however quickly they follow each other', async () => {
    await using desk = await openDesk(kind);
    const { world } = desk.test;
    const { id } = await desk.add(['rain Yes']);
    const versions = new Set([(await desk.stored(id)).updatedAt]);
    for (const active of [false, true, false]) {
      await editOpportunity(world, { id, edit: { active }, thresholdPct, actor: ACTOR });
      versions.add((await desk.stored(id)).updatedAt);
    }
    expect(versions.size).toBe(4);
  });
});
