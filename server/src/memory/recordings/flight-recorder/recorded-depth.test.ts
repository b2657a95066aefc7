import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { priceFromText } from '@dutchbook/units/price.ts';
import { sharesFromNumber } from '@dutchbook/units/shares.ts';
import { asc } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { pricePoints } from '../../../market/opportunities/history/table.ts';
import { storeOpportunities } from '../../../market/opportunities/stored.fixture.ts';
import { onlyEngine } from '../../../platform/engines/engines.ts';
import { DEFAULT_SETTINGS, recordedBatch } from '../../../trading/execution/runner/runner.fixture.ts';
import { batches } from '../../../trading/orders/table.ts';
import { recordShown } from '../../../trading/survival/store.ts';
import { shownDepths } from '../../../trading/survival/table.ts';
import { openRecordings } from '../recordings.ts';
import { type FlightRecorderSite, marketWithBooks, openFlightRecorderSite } from './flight-recorder.fixture.ts';

const TOKENS = ['a:yes', 'b:yes'];
const POSITIONS = ['a', 'b'].map((marketId, index) => ({ leg: index + 1, marketId, outcome: 'Yes' }));
const COMBINATIONS = POSITIONS.map(({ leg, marketId: id, outcome }) => ({ leg, markets: [{ id, outcome }] }));
const MINUTE_MS = 60_000;

async function openSite() {
  const site = await openFlightRecorderSite();
  const { runtime, time } = site.test;
  const id = runtime.random.uuid();
  const targetPrice = priceFromText('1');
  const now = runtime.clock.now();
  const stored = { id, marketCombinations: COMBINATIONS, targetPrice, active: true, contentHash: id };
  await storeOpportunities(runtime.db, [{ ...stored, createdAt: now, updatedAt: now }]);
  await site.note('settings', '', DEFAULT_SETTINGS);
  const positions = { positions: POSITIONS, relationId: null, title: 'A or b', aboveTrigger: false, rises: 0 };
  await site.note('opportunity', id, { targetPrice, ...positions });
  for (const market of ['a', 'b']) await site.note('market', market, marketWithBooks(market));
  await time.advance(1000);
  /** Both books show 100 shares; 300 ms later that of `b` holds as many as said. @returns when it rose */
  const rise = async (left: string): Promise<Instant> => {
    for (const token of TOKENS) site.set(token, 'sell', '0.40', '100');
    const at = site.now();
    await runtime.db.insert(pricePoints).values({ opportunityId: id, at, targetPrice, triggered: true, isEdge: true });
    await time.advance(200);
    site.set('b:yes', 'sell', '0.40', left);
    await time.advance(1000);
    return at;
  };
  return { site, id, rise };
}

const measuredIn = (site: FlightRecorderSite) =>
  site.test.runtime.db
    .select({ at: shownDepths.at, token: shownDepths.tokenId, shown: shownDepths.shown, met: shownDepths.met })
    .from(shownDepths)
    .orderBy(asc(shownDepths.at), asc(shownDepths.tokenId));

const row = (at: Instant, token: string, met: number) => ({
  ...{ at, token, shown: sharesFromNumber(100), met: sharesFromNumber(met) },
});

it('measures in the recordings what books of a rise still held one latency later, once', async () => {
  const { site, rise } = await openSite();
  await using _ = site;
  const first = await rise('25');
  const second = await rise('0');
  await site.test.time.advance(3 * MINUTE_MS);
  await site.until(async () => (await measuredIn(site)).length === 4);
  const expected = [
    row(first, 'a:yes', 100),
    row(first, 'b:yes', 25),
    row(second, 'a:yes', 100),
    row(second, 'b:yes', 0),
  ];
  expect(await measuredIn(site)).toEqual(expected);
  const { runtime } = site.test;
  const next = openRecordings(runtime, { ...site.tokens }, onlyEngine().partitions);
  const third = await rise('75');
  await site.test.time.advance(3 * MINUTE_MS);
  await site.until(async () => (await measuredIn(site)).length > 4);
  expect(await measuredIn(site)).toEqual([...expected, row(third, 'a:yes', 100), row(third, 'b:yes', 75)]);
  await next.stop();
});

it('leaves out a rise on which something was bought, and one that the stream has measured', async () => {
  const { site, id, rise } = await openSite();
  await using _ = site;
  const { db, clock } = site.test.runtime;
  const measured = await rise('50');
  const order = { venue: 'polymarket' as const, category: 'sports', size: sharesFromNumber(7), bookAgeMs: 0 };
  const more = { limit: priceFromText('0.4'), shown: sharesFromNumber(100), met: sharesFromNumber(7) };
  await recordShown(db, [{ opportunityId: id, at: measured, tokenId: 'b:yes', order: { ...order, ...more } }]);
  await site.test.time.advance(10_000);
  await recordedBatch(site.test);
  await db.update(batches).set({ opportunityId: id, createdAt: instantFromMs(clock.now() + 500) });
  await rise('50');
  await site.test.time.advance(10_000);
  const last = await rise('50');
  await site.test.time.advance(3 * MINUTE_MS);
  await site.until(async () => (await measuredIn(site)).length > 1);
  expect(await measuredIn(site)).toEqual([row(measured, 'b:yes', 7), row(last, 'a:yes', 100), row(last, 'b:yes', 50)]);
});
