import { instantFromIso } from '@dutchbook/units/instant.ts';
import type { Percent } from '@dutchbook/units/percent.ts';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { type Desk, openDesk } from '../../prices/live-prices.fixture.ts';
import { checkOpportunities } from '../check.ts';
import { editOpportunity } from '../edit.ts';
import { opportunities } from '../table.ts';
import { pointOf, readPricePoints } from './store.ts';

const START = instantFromIso('2026-01-01T00:00:00Z');
const NEVER = 100;
const SOMEBODY = { id: null, email: 'operator@example.com', address: '127.0.0.1' };

/** An opportunity over one position that pays a dollar. */
async function openDeskAt(ask: string) {
  const desk = await openDesk();
  desk.settings.change({ MIN_PROFIT_TRIGGER_THRESHOLD: NEVER });
  desk.venue.list('rain');
  price(desk, ask);
  return { desk, id: (await desk.add(['rain Yes'])).id };
}

function price({ venue }: Desk, ask: string | null): void {
  venue.setBooks({ 'rain:yes': { asks: ask === null ? [] : [[ask, '500']] } });
}

/** What the history says: seconds since the start, price in dollars, and `on` or `off` where the trigger changed. */
async function said({ test }: Desk, id: string): Promise<string[]> {
  const points = await readPricePoints(test.runtime.db, id, START);
  return points.map(({ at, currentPrice, triggered, isEdge }) => {
    const dollars = currentPrice === null ? 'none' : (currentPrice / 1_000_000).toFixed(2);
    return `${Math.round((at - START) / 1000)} ${dollars}${isEdge ? (triggered ? ' on' : ' off') : ''}`;
  });
}

/** Long enough for what the loop has begun to be recorded, and for its writes. */
async function writesDone({ test }: Desk): Promise<void> {
  await test.time.advance(2000);
}

describe('the price history', () => {
  it('gets a point in ten seconds at most, and none while nothing changes', async () => {
    const { desk, id } = await openDeskAt('0.95');
    await using _ = desk;
    await desk.start();
    await desk.test.time.advance(3000);
    for (const ask of ['0.94', '0.93', '0.92']) {
      price(desk, ask);
      await desk.test.time.advance(2000);
    }
    expect(await said(desk, id)).toEqual(['0 0.95']);
    await desk.test.time.advance(60_000);
    const points = await said(desk, id);
    expect(points).toEqual(['0 0.95', expect.stringMatching(/^1\d 0\.92$/)]);
    price(desk, '0.91');
    await desk.test.time.advance(60_000);
    expect(await said(desk, id)).toEqual([...points, expect.stringMatching(/^69 0\.91$/)]);
  });

  it('gets none where the price has moved by less than a tenth of a cent since the last', async () => {
    const { desk, id } = await openDeskAt('0.95');
    await using _ = desk;
    await desk.start();
    for (const ask of ['0.9504', '0.9508', '0.9512', '0.9508']) {
      await desk.test.time.advance(20_000);
      price(desk, ask);
    }
    await desk.test.time.advance(20_000);
    const points = await readPricePoints(desk.test.runtime.db, id, START);
    expect(points.map(({ currentPrice }) => currentPrice)).toEqual([950_000, 951_200]);
  });

  it('says since when an opportunity could not be priced, and until when', async () => {
    const { desk, id } = await openDeskAt('0.95');
    await using _ = desk;
    await desk.start();
    await desk.test.time.advance(20_000);
    price(desk, null);
    await desk.test.time.advance(20_000);
    price(desk, '0.95');
    await desk.test.time.advance(20_000);
    expect(await said(desk, id)).toEqual(['0 0.95', '20 none', '40 0.95']);
  });

  it('has every time the trigger goes on and off, however close together', async () => {
    const { desk, id } = await openDeskAt('1.00');
    await using _ = desk;
    await desk.start();
    desk.settings.change({ MIN_PROFIT_TRIGGER_THRESHOLD: 0.8 });
    await writesDone(desk);
    for (const round of [1, 2, 3]) {
      price(desk, '0.90');
      await expect.poll(() => desk.placed).toHaveLength(round);
      await writesDone(desk);
      price(desk, '1.00');
      await writesDone(desk);
    }
    const edges = (await said(desk, id)).map((point) => point.replace(/^\d+ /, ''));
    const rounds = ['0.90 on', '1.00 off'];
    expect(edges).toEqual(['1.00', ...rounds, ...rounds, ...rounds]);
  });

  it('has the end of a trigger by an edit, once', async () => {
    const { desk, id } = await openDeskAt('0.90');
    await using _ = desk;
    desk.settings.change({ MIN_PROFIT_TRIGGER_THRESHOLD: 0.8 });
    await desk.start();
    await desk.untilStored(id, { triggered: true });
    const thresholdPct = 800_000 as Percent;
    await editOpportunity(desk.test.runtime, { id, edit: { active: false }, thresholdPct, actor: SOMEBODY });
    await writesDone(desk);
    const points = await said(desk, id);
    expect(points.map((point) => point.replace(/^\d+ /, ''))).toEqual(['0.90 on', '0.90 off']);
  });

  it('is one history where several processes follow the same books, and goes on after a restart', async () => {
    const { desk, id } = await openDeskAt('0.95');
    await using _ = desk;
    const first = await desk.start();
    await desk.start();
    for (const ask of ['0.94', '0.93', '0.92', '0.91']) {
      price(desk, ask);
      await desk.test.time.advance(15_000);
    }
    await first.stop();
    await desk.start();
    await desk.test.time.advance(30_000);
    const points = await said(desk, id);
    expect(points.map((point) => point.replace(/^\d+ /, ''))).toEqual(['0.94', '0.93', '0.92', '0.91']);
  });

  it('is written by a check and by an update of prices', async () => {
    const { desk, id } = await openDeskAt('0.95');
    await using _ = desk;
    const { live, quotes } = await desk.start();
    await desk.test.time.advance(15_000);
    await quotes.stop();
    price(desk, '0.94');
    await checkOpportunities({ quotes, live }, [await desk.stored(id)], false);
    await desk.test.time.advance(5000);
    desk.settings.change({ MIN_PROFIT_TRIGGER_THRESHOLD: 6 });
    price(desk, '0.93');
    await checkOpportunities({ quotes, live }, [await desk.stored(id)], true);
    expect(await said(desk, id)).toEqual(['0 0.95', '15 0.94', '20 0.93 on']);
  });

  it('has the price beside an error that is only about the balance, as the page shows it', async () => {
    const { desk, id } = await openDeskAt('0.95');
    await using _ = desk;
    await desk.start();
    await writesDone(desk);
    const row = await desk.stored(id);
    const said = (lastError: string) => pointOf({ ...row, lastError }).currentPrice;
    expect(said('Not enough balance for leg 1')).toBe(row.currentPrice);
    expect(said('Leg 1: no order book')).toBeNull();
  });

  it('goes with its opportunity', async () => {
    const { desk, id } = await openDeskAt('0.95');
    await using _ = desk;
    await desk.start();
    await writesDone(desk);
    expect(await said(desk, id)).toHaveLength(1);
    await desk.test.runtime.db.delete(opportunities).where(eq(opportunities.id, id));
    expect(await said(desk, id)).toEqual([]);
  });
});
