import { priceFromText } from '@dutchbook/units/price.ts';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { onlyEngine } from '../../platform/engines/engines.ts';
import { checkOpportunities } from '../opportunities/check.ts';
import { opportunities } from '../opportunities/table.ts';
import { CHEAP, DEAR, openDeskAt, price, writesDone } from './trigger.fixture.ts';

describe('the trigger', () => {
  it('acts once on its rising edge, and again only after the profit fell', async () => {
    const { desk, id } = await openDeskAt(DEAR);
    await using _ = desk;
    await desk.start();
    for (const ask of [CHEAP, '0.89', '0.88']) price(desk, ask);
    await expect.poll(() => desk.placed).toEqual([id]);
    await desk.untilStored(id, { triggered: true, currentPrice: priceFromText('0.88') });
    price(desk, DEAR);
    await desk.untilStored(id, { triggered: false });
    price(desk, CHEAP);
    await expect.poll(() => desk.placed).toEqual([id, id]);
  });

  it('acts at the threshold, which is in percent, and not below it', async () => {
    const { desk, id } = await openDeskAt('0.80');
    await using _ = desk;
    desk.settings.change({ MIN_PROFIT_TRIGGER_THRESHOLD: 25.000001 });
    await desk.start();
    await writesDone(desk);
    expect(desk.placed).toEqual([]);
    desk.settings.change({ MIN_PROFIT_TRIGGER_THRESHOLD: 25 });
    price(desk, '0.80');
    await expect.poll(() => desk.placed).toEqual([id]);
  });

  it('is not armed again by a process that does not have the opportunity, whatever is asked there', async () => {
    const { desk, id } = await openDeskAt(CHEAP);
    await using _ = desk;
    const owner = await desk.start();
    await desk.untilStored(id, { triggered: true });
    await owner.stop();
    const { live } = await desk.start(desk.test.runtime, {
      ...onlyEngine().partitions,
      owns: () => false,
      held: () => [],
    });
    price(desk, DEAR);
    live.open(await desk.stored(id));
    await writesDone(desk);
    const { quotes } = live.open(await desk.stored(id));
    await live.revalue(await desk.stored(id), quotes, { asked: true, mayTrigger: true });
    await live.flush();
    expect(await desk.stored(id)).toMatchObject({ triggered: true, currentPrice: priceFromText(DEAR) });
  });

  it('acts once where two processes follow the same books', async () => {
    const { desk, id } = await openDeskAt(DEAR);
    await using _ = desk;
    await desk.start();
    await desk.start();
    for (let round = 1; round <= 5; round += 1) {
      price(desk, CHEAP);
      await expect.poll(() => desk.placed).toEqual(Array(round).fill(id));
      await desk.untilStored(id, { triggered: true });
      await writesDone(desk);
      price(desk, DEAR);
      await desk.untilStored(id, { triggered: false });
      await writesDone(desk);
    }
    expect(desk.placed).toHaveLength(5);
  });

  it('does not act again after a restart while the profit stands', async () => {
    const { desk, id } = await openDeskAt(CHEAP);
    await using _ = desk;
    const before = await desk.start();
    await expect.poll(() => desk.placed).toEqual([id]);
    await before.stop();
    await desk.start();
    await writesDone(desk);
    expect(desk.placed).toEqual([id]);
  });

  it('is recorded with its batch or not at all', async () => {
    const { desk, id } = await openDeskAt(DEAR);
    await using _ = desk;
    await desk.start();
    desk.beforePlacing = () => Promise.reject(new Error('the database went away'));
    price(desk, CHEAP);
    await writesDone(desk);
    expect(await desk.stored(id)).toMatchObject({ triggered: false });
    desk.beforePlacing = async () => {};
    await desk.test.time.advance(10_000);
    await expect.poll(() => desk.placed).toEqual([id]);
    await desk.untilStored(id, { triggered: true });
  });

  it('is shown but places nothing while automatic placing is off', async () => {
    const { desk, id } = await openDeskAt(CHEAP);
    await using _ = desk;
    desk.settings.change({ AUTO_PLACE_ORDER_ENABLED: false });
    await desk.start();
    await desk.untilStored(id, { triggered: true });
    expect(desk.placed).toEqual([]);
  });

  it('never acts on a stale book, whose last price stays', async () => {
    const { desk, id } = await openDeskAt(DEAR);
    await using _ = desk;
    await desk.start();
    desk.venue.trust('rain:yes', 'stale');
    price(desk, CHEAP);
    await writesDone(desk);
    expect(await desk.stored(id)).toMatchObject({ triggered: false, currentPrice: 1_000_000 });
    desk.venue.trust('rain:yes', 'verified');
    await expect.poll(() => desk.placed).toEqual([id]);
  });

  it('leaves alone what is inactive', async () => {
    const { desk } = await openDeskAt(CHEAP);
    await using _ = desk;
    const dormant = await desk.add(['rain No'], { active: false });
    desk.venue.setBooks({ 'rain:no': { asks: [[CHEAP, '500']] } });
    const { live, quotes } = await desk.start();
    const [checked] = await checkOpportunities({ quotes, live }, [dormant], true);
    expect(checked?.row).toMatchObject({ triggered: false, currentPrice: 900_000 });
    expect(desk.placed).not.toContain(dormant.id);
  });

  it('acts on a check by fresh books, and not on an update of prices', async () => {
    const { desk, id } = await openDeskAt(DEAR);
    await using _ = desk;
    const { live, quotes } = await desk.start();
    await quotes.stop();
    price(desk, CHEAP);
    const [updated] = await checkOpportunities({ quotes, live }, [await desk.stored(id)], false);
    expect(updated?.row).toMatchObject({ triggered: false, currentPrice: 900_000 });
    expect(await desk.stored(id)).toMatchObject({ triggered: false, currentPrice: 900_000 });
    const [checked] = await checkOpportunities({ quotes, live }, [await desk.stored(id)], true);
    expect(checked?.row).toMatchObject({ triggered: true });
    expect(desk.placed).toEqual([id]);
  });

  it('goes off with an opportunity that is deactivated', async () => {
    const { desk, id } = await openDeskAt(CHEAP);
    await using _ = desk;
    await desk.start();
    await expect.poll(() => desk.placed).toEqual([id]);
    const { db, clock } = desk.test.runtime;
    await db.update(opportunities).set({ active: false, updatedAt: clock.now() }).where(eq(opportunities.id, id));
    await writesDone(desk);
    price(desk, '0.85');
    await writesDone(desk);
    expect(desk.venue.subscribed()).toEqual(new Set());
    expect(desk.placed).toEqual([id]);
  });
});
