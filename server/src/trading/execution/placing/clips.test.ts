import { randomUUID } from 'node:crypto';
import { bookOf } from '@dutchbook/engine/opportunity/quotes.fixture.ts';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import { USD_ZERO, usdFromText } from '@dutchbook/units/usd.ts';
import { asc, eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { opportunityPrices } from '../../../market/opportunities/table.ts';
import { listBatches } from '../../orders/batch-store.ts';
import { readSeries } from '../../orders/series.ts';
import { batches } from '../../orders/table.ts';
import { ensureControls } from '../../trading-controls/store.ts';
import { tradingControls } from '../../trading-controls/table.ts';
import { ended } from '../runner/runner.fixture.ts';
import { startClips } from './clips.ts';
import { openTrigger } from './open-trigger.fixture.ts';

/** A trigger whose first clip is whole, of books that go on paying. */
async function openSeries(changed: Parameters<typeof openTrigger>[0] = {}, before = (_: Trigger) => {}) {
  const trigger = await openTrigger({ SIZE_POLICY: 'up_to', CLIP_USD: 45, CLIPS_MAX: 3, ...changed });
  before(trigger);
  const { test, parts, placing, seen } = trigger;
  const { db } = test.runtime;
  const { batchId } = await trigger.record();
  trigger.buying.end(batchId);
  await trigger.batchWhen(batchId, ended);
  let shown = seen;
  const open = () =>
    startClips({
      ...{
        ...parts,
        quotes: { ...parts.quotes, current: () => [...seen], fresh: () => whenAsked.do().then(() => [...shown]) },
        placing,
      },
      live: { rowsNow: (rows) => [...rows] },
      partitions: { held: () => null },
    });
  const bought = async () => await db.select().from(batches).orderBy(asc(batches.clipNumber));
  /** Looks, and has what was bought carried out. */
  const goOn = async (clips: ReturnType<typeof open>) => {
    await test.time.advance(20);
    await clips.look();
    for (const { id } of await bought()) await trigger.batchWhen(id, ended);
  };
  const whenAsked = { do: async () => {} };
  const showAtVenue = (asks: Parameters<typeof bookOf>[0]) => {
    shown = seen.map((quote) => ({ ...quote, book: bookOf(asks) }));
  };
  return { ...trigger, first: batchId, open, bought, goOn, showAtVenue, whenAsked };
}
type Trigger = Awaited<ReturnType<typeof openTrigger>>;

describe('what still pays after a batch is whole', () => {
  it('is bought clip by clip, of one series, as many as CLIPS_MAX says', async () => {
    await using series = await openSeries();
    const clips = series.open();
    for (let round = 0; round < 4; round += 1) await series.goOn(clips);
    await clips.stop();
    const clip = { seriesId: series.first, orderSize: sharesFromText('50'), automatic: true, status: 'completed' };
    expect(await series.bought()).toMatchObject(
      [1, 2, 3].map((clipNumber) => ({ ...clip, clipNumber, sizeBoundedBy: 'clip' })),
    );
    expect(series.venue.posted).toHaveLength(3);
    const page = { skip: 0, limit: 10, sortBy: 'clip_number', sortOrder: 'desc' } as const;
    const { db } = series.test.runtime;
    const { rows, count } = await listBatches(db, { seriesId: series.first ?? '' }, page);
    expect([rows.map(({ clipNumber }) => clipNumber), count]).toEqual([[3, 2, 1], 3]);
    expect(await listBatches(db, { seriesId: randomUUID() }, page)).toEqual({ rows: [], count: 0 });
    const numbersOf = async (firstClips: boolean) =>
      (await listBatches(db, { firstClips }, page)).rows.map(({ clipNumber }) => clipNumber);
    expect([await numbersOf(true), await numbersOf(false)]).toEqual([[1], [3, 2]]);
    const [row] = await db.select().from(opportunityPrices);
    expect(row?.refusal).toMatch(/^As many clips in a row were bought as CLIPS_MAX allows \(3 of 3\)/);
    // A rise since that a gate has refused is left for that reason.
    await db.update(opportunityPrices).set({ refusal: 'With this batch today is $613.69, the limit is $600.00.' });
    const later = series.open();
    await later.look();
    await later.stop();
    expect((await db.select().from(opportunityPrices))[0]?.refusal).toMatch(/^With this batch today/);
  });

  it('follows the clip with the highest number where several are of one millisecond', async () => {
    await using series = await openSeries();
    const { db } = series.test.runtime;
    const clips = series.open();
    for (let round = 0; round < 3; round += 1) await series.goOn(clips);
    await clips.stop();
    const [first] = await series.bought();
    await db.update(batches).set({ createdAt: first?.createdAt ?? instantFromMs(0) });
    expect(await readSeries(db, instantFromMs(0), null)).toMatchObject([{ clips: 3, placedBefore: 3 }]);
    await db.update(batches).set({ executionCompletedAt: null }).where(eq(batches.clipNumber, 3));
    expect(await readSeries(db, instantFromMs(0), null)).toEqual([]);
  });

  it('is bought once by two processes that see the same end', async () => {
    await using series = await openSeries();
    const two = [series.open(), series.open()];
    await Promise.all(two.map((clips) => clips.look()));
    expect(await series.bought()).toHaveLength(2);
    await Promise.all(two.map((clips) => clips.stop()));
    for (const { id } of await series.bought()) await series.batchWhen(id, ended);
  });

  it('is bought also where an older batch, of no clip, holds shares of some positions alone', async () => {
    await using series = await openSeries({ CLIPS_MAX: 2 });
    const { db } = series.test.runtime;
    const [first] = await series.bought();
    if (first === undefined) throw new Error('the trigger bought a batch');
    const unhedged = { positions: [], worstLoss: usdFromText('3') };
    const older = { ...first, id: randomUUID(), seriesId: null, clipNumber: null, unhedged };
    const createdAt = instantFromMs(first.createdAt - 1000);
    await db.insert(batches).values({ ...older, createdAt, status: 'partial_completed' });
    const clips = series.open();
    await series.goOn(clips);
    await clips.stop();
    expect((await series.bought()).map(({ clipNumber }) => clipNumber)).toEqual([1, 2, null]);
  });

  it('is bought up to what needs no second person, over the whole series', async () => {
    await using series = await openSeries({ CLIPS_MAX: 20 }, ({ asksAbove }) => asksAbove(usdFromText('100')));
    const clips = series.open();
    for (let round = 0; round < 4; round += 1) await series.goOn(clips);
    await clips.stop();
    const sizes = (await series.bought()).map(({ orderSize, sizeBoundedBy }) => [orderSize / 1e6, sizeBoundedBy]);
    expect(sizes).toEqual([
      [50, 'clip'],
      [50, 'clip'],
      [11, 'sign-off'],
    ]);
  });

  it.each([
    {
      why: 'a clip came back uneven',
      kept: /^A clip of it holds shares/,
      spoil: async ({ test, first }: Series) => {
        const unhedged = { positions: [], worstLoss: USD_ZERO };
        await test.runtime.db
          .update(batches)
          .set({ unhedged })
          .where(eq(batches.id, first ?? ''));
      },
    },
    {
      why: 'a clip comes to be uneven while the next one is decided',
      spoil: async ({ test, whenAsked }: Series) => {
        whenAsked.do = async () => {
          await test.runtime.db.update(batches).set({ unhedged: { positions: [], worstLoss: USD_ZERO } });
        };
      },
    },
    {
      why: 'the profit has fallen',
      kept: null,
      spoil: async ({ test, row }: Series) => {
        const { opportunityId } = opportunityPrices;
        await test.runtime.db.update(opportunityPrices).set({ triggered: false }).where(eq(opportunityId, row.id));
      },
    },
    {
      why: 'trading is disarmed',
      spoil: async ({ controls }: Series) => {
        controls.armed = false;
      },
    },
    {
      why: 'trading was disarmed, and is armed again',
      spoil: async ({ test: { runtime, time } }: Series) => {
        const { venueMode } = runtime.config;
        await ensureControls(runtime.db, venueMode, 'polymarket');
        await time.advance(1);
        await runtime.db.update(tradingControls).set({ armed: true, armedChangedAt: runtime.clock.now() });
      },
    },
    {
      why: 'this process knows that trading was disarmed, and is armed again',
      kept: /^Trading was disarmed after its last clip/,
      spoil: async ({ controls, test: { runtime, time }, whenAsked }: Series) => {
        await time.advance(1);
        controls.armedChanged = { at: runtime.clock.now(), by: null };
        whenAsked.do = async () => expect.fail('no book is read for it');
      },
    },
    {
      why: 'the venue says that it has taken what the stream still shows',
      kept: /^Leg 1 is short of/,
      spoil: async ({ showAtVenue }: Series) => showAtVenue([[0.9, 4]]),
    },
    {
      why: 'the policy is the smallest by now',
      kept: /SIZE_POLICY/,
      spoil: async ({ settings }: Series) => settings.change({ SIZE_POLICY: 'smallest' }),
    },
    {
      why: 'the policy comes to be the smallest while the books are read',
      spoil: async ({ settings, whenAsked }: Series) => {
        whenAsked.do = async () => settings.change({ SIZE_POLICY: 'smallest' });
      },
    },
    {
      why: 'CLIPS_MAX comes to be reached while the books are read',
      spoil: async ({ settings, whenAsked }: Series) => {
        whenAsked.do = async () => settings.change({ CLIPS_MAX: 1 });
      },
    },
    {
      why: 'automatic placing is switched off by now',
      kept: /AUTO_PLACE_ORDER_ENABLED/,
      spoil: async ({ settings }: Series) => settings.change({ AUTO_PLACE_ORDER_ENABLED: false }),
    },
  ])('is left where $why', async ({ spoil, kept }) => {
    await using series = await openSeries();
    await spoil(series);
    const clips = series.open();
    await series.goOn(clips);
    await clips.stop();
    expect(await series.bought()).toHaveLength(1);
    const [row] = await series.test.runtime.db.select().from(opportunityPrices);
    if (kept === null) expect(row?.refusal).toBeNull();
    else if (kept !== undefined) expect(row?.refusal).toMatch(kept);
  });
});
type Series = Awaited<ReturnType<typeof openSeries>>;
