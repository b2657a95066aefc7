import { BATCH_RESULT_SORTS } from '@dutchbook/contract/batch-results.ts';
import { DEFAULT_SETTINGS } from '@dutchbook/contract/system-settings.ts';
import { HISTORY_DAYS } from '@dutchbook/contract/valuation.ts';
import { idAt } from '@dutchbook/units/ids.ts';
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { priceFromText } from '@dutchbook/units/price.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import { usdFromText } from '@dutchbook/units/usd.ts';
import { eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { missedTriggers } from '../../market/prices/table.ts';
import { openRelationAging } from '../../market/relations/retention.ts';
import { relationHits } from '../../market/relations/table.ts';
import { recordedBatch } from '../../trading/execution/runner/runner.fixture.ts';
import { batches } from '../../trading/orders/table.ts';
import { openReportAging } from './aging.ts';
import { AT, BY_HAND, type Funnel, HALF, missed, OPPORTUNITY, openFunnel, SMALL } from './funnel.fixture.ts';
import { forAll, reasonOf } from './reasons.ts';
import { openReportSite } from './report.fixture.ts';
import { result } from './result.fixture.ts';
import { batchResults } from './table.ts';

it.each(['Rain in May · No on all #”.', 'Rain at St', 'Rain in May · No on all #”, and # more.'])(
  'leaves the name of a batch out of a reason: %s',
  (name) => {
    expect(
      reasonOf(`Leg # would trade with our own order to buy at #.## that has not ended, of the batch “${name}`),
    ).toBe('A leg would trade with our own order to buy at # that has not ended');
  },
);

it('names of several refusals by one setting what the dearest needs and what all need', () => {
  const one =
    'The order could lose more (up to $26.22; LOSS_ALLOWANCE_USD is $25.00: set it to $26.22 or more in System Settings).';
  expect(forAll(one, 31, 2)).toBe(
    'The order could lose more (up to $26.22; LOSS_ALLOWANCE_USD is $25.00: set it to $26.22 or more for it, $31.00 or more for all 2, in System Settings).',
  );
  for (const [needed, count] of [
    [26.22, 2],
    [0, 2],
    [31, 1],
  ] as const)
    expect(forAll(one, needed, count)).toBe(one);
});

const stepsOf = ({ steps }: Funnel) =>
  steps.map(({ step, count, usd, lost_usd: lost, first_reason: first }) => [step, count, usd, lost, first]);

it('goes from what was seen to cash, and each step loses what the next one lacks', async () => {
  await using site = await openFunnel();
  const funnel = await site.ask<Funnel>('funnel');
  expect(stepsOf(funnel)).toEqual([
    ['seen', 14, 56.125, 0, null],
    ['triggered', 9, 50.625, 5.5, 'It was over before it was stored as an opportunity'],
    ['allowed', 5, 28.625, 22, 'A batch of this opportunity is still active'],
    ['placed', 3, 4, 24.625, 'Orders are not placed automatically (AUTO_PLACE_ORDER_ENABLED)'],
    ['filled', 2, 2.5, 1.5, 'Orders were not filled in full'],
    ['locked', 2, 2.25, 0.25, 'Prices moved while orders were on their way'],
    ['cash', 1, 1.25, 1, 'Not lost: locked in sets that are not cash yet'],
  ]);
  expect(funnel.smaller).toEqual([{ bounded_by: null, count: 1, usd: 8.5 }]);
  expect(funnel.missed).toEqual([
    {
      reached: 'allowed',
      reason: 'Orders are not placed automatically (AUTO_PLACE_ORDER_ENABLED)',
      example: null,
      count: 2,
      usd: 16.125,
    },
    {
      ...{ reached: 'triggered', reason: 'A batch of this opportunity is still active', count: 2, usd: 16 },
      example: null,
    },
    // Of several, the one that would have made most says its figures.
    {
      ...{ reached: 'triggered', reason: 'A leg is short of # shares', count: 2, usd: 6 },
      example: 'Leg 1 is short of 4.5 shares.',
    },
    { reached: 'seen', reason: 'It was over before it was stored as an opportunity', example: null, count: 1, usd: 3 },
    { reached: 'seen', reason: 'A superuser has to approve the relation first', example: null, count: 1, usd: 1 },
    {
      ...{ reached: 'seen', reason: 'It makes $# at its best size, and the least profit is $#', count: 2, usd: 1 },
      example: 'It makes $0.75 at its best size, and the least profit is $1',
    },
    {
      reached: 'seen',
      reason: 'Its profit did not reach the trigger (MIN_PROFIT_TRIGGER_THRESHOLD)',
      example: null,
      count: 1,
      usd: 0.5,
    },
  ]);
});

it('says of sets that are not filled yet that they are being bought', async () => {
  await using site = await openFunnel();
  await site.test.runtime.db.insert(batches).values(
    [SMALL, HALF, BY_HAND].map((id) => ({
      ...{ id, opportunityId: id, status: 'processing' as const, expectedOrders: 2 },
      ...{ orderSize: sharesFromText('5'), targetPrice: priceFromText('1'), targetProfit: usdFromText('1') },
      ...{ automatic: true, simulated: false, settings: DEFAULT_SETTINGS, createdAt: AT, updatedAt: AT },
    })),
  );
  const filled = (await site.ask<Funnel>('funnel')).steps.find(({ step }) => step === 'filled');
  expect(filled).toMatchObject({ lost_usd: 1.5, first_reason: 'Not lost: still being bought' });
  expect(await site.ask('summary')).toMatchObject({ shortfall_usd: 1.5, being_bought_usd: 1.5 });
});

it('says of two that one setting refuses what both need', async () => {
  await using site = await openFunnel();
  const refusal = (usd: string) =>
    `The order could lose more than LOSS_ALLOWANCE_USD allows if it fills in part (up to $${usd}; LOSS_ALLOWANCE_USD is $25.00: set it to $${usd} or more in System Settings). Trading is disarmed.`;
  const both = [missed('90', { refusal: refusal('26.22') }), missed('80', { refusal: refusal('31.00') })];
  await site.test.runtime.db.insert(missedTriggers).values(both);
  const [first] = (await site.ask<Funnel>('funnel')).missed;
  expect(first).toMatchObject({ count: 2, usd: 170 });
  expect(first?.example).toContain('set it to $26.22 or more for it, $31.00 or more for all 2, in System Settings');
});

type Rows = { data: Record<string, unknown>[]; count: number };

it('loses to size what all clips of a series were smaller by than its best hit, by what bounded the last', async () => {
  await using site = await openFunnel();
  const { db } = site.test.runtime;
  const clips = [
    { id: SMALL, clipNumber: 1, sizeBoundedBy: 'clip' as const },
    { id: HALF, clipNumber: 2, sizeBoundedBy: 'loss allowance' as const },
  ];
  await db.insert(batches).values(
    clips.map((clip) => ({
      ...{
        opportunityId: OPPORTUNITY,
        status: 'completed' as const,
        expectedOrders: 2,
        orderSize: sharesFromText('5'),
      },
      ...{ seriesId: SMALL, targetPrice: priceFromText('1'), targetProfit: usdFromText('1'), automatic: true },
      ...{ simulated: false, settings: DEFAULT_SETTINGS, createdAt: AT, updatedAt: AT },
      ...clip,
    })),
  );
  const { smaller, steps } = await site.ask<Funnel>('funnel');
  // Ten dollars were there; the clips were to make 1.5 and 2.
  expect(smaller).toEqual([{ bounded_by: 'loss allowance', count: 1, usd: 6.5 }]);
  const smallerSince = async (day: string) => (await site.ask<Funnel>(`funnel?since=${day}`)).smaller;
  expect(await smallerSince('2026-01-02')).toEqual(smaller);
  expect(await smallerSince('2026-01-03')).toEqual([]);
  const [, second] = clips;
  const day = 24 * 3_600_000;
  const trigger = (at: number) =>
    db
      .update(batchResults)
      .set({ triggeredAt: instantFromMs(at) })
      .where(eq(batchResults.batchId, second?.id ?? ''));
  await trigger(AT + day);
  // The hit names the first clip, which is of the day before.
  expect(await smallerSince('2026-01-03')).toEqual([{ bounded_by: 'loss allowance', count: 1, usd: 8 }]);
  await trigger(AT);
  await db.update(batches).set({ settings: { ...DEFAULT_SETTINGS, CLIPS_MAX: 2 } });
  expect((await site.ask<Funnel>('funnel')).smaller).toEqual([{ bounded_by: 'clips', count: 1, usd: 6.5 }]);
  expect((await site.ask<Rows>('batches?series=one_row&sort_by=predicted_usd')).data[0]).toMatchObject({
    ...{ batch_id: SMALL, size_bounded_by: 'clips' },
  });
  await db.update(batches).set({ status: 'processing' }).where(eq(batches.id, HALF));
  expect((await site.ask<Funnel>('funnel')).smaller, 'the last clip may be followed by another').toEqual([]);
  await db.update(batches).set({ settings: DEFAULT_SETTINGS, status: 'completed' });
  // They are one of what was seen, as they were one of what paid.
  expect(steps.map(({ count }) => count)).toEqual([13, 8, 4, 2, 1, 1, 1]);
  expect(steps[0]).toMatchObject({ usd: 54.125 });
  const [series, ...others] = (await site.ask<Rows>('batches?series=one_row&sort_by=predicted_usd')).data;
  expect(series).toMatchObject({
    ...{ batch_id: SMALL, series_id: SMALL, clip_number: 1, clips: 2, size_bounded_by: 'loss allowance' },
    ...{ predicted_usd: 3.5, paid_usd: 1.25, locked_usd: 1, shortfall_usd: 1, capital_usd: 9 },
  });
  expect(others).toMatchObject([{ batch_id: BY_HAND, clips: 1, series_id: null, size_bounded_by: null }]);
  expect((await site.ask<Rows>('batches?series=one_row&limit=1&skip=1')).count).toBe(2);
  const clipsOf = await site.ask<Rows>(`batches?series_id=${SMALL}&sort_by=clip_number&sort_order=asc`);
  expect(clipsOf.data.map(({ batch_id: id, clips: many }) => [id, many])).toEqual([
    [SMALL, 1],
    [HALF, 1],
  ]);
  expect((await site.ask<Rows>('batches')).count).toBe(3);
});

it('loses to size too what the books of an opportunity offered that a user had added', async () => {
  await using site = await openFunnel();
  const { db } = site.test.runtime;
  const batch = {
    ...{
      opportunityId: OPPORTUNITY,
      status: 'completed' as const,
      expectedOrders: 2,
      automatic: true,
      simulated: false,
    },
    ...{ orderSize: sharesFromText('5'), targetPrice: priceFromText('1'), targetProfit: usdFromText('1') },
    ...{ settings: DEFAULT_SETTINGS, createdAt: AT, updatedAt: AT },
  };
  await db.insert(batches).values([
    // A hit of it offered ten dollars.
    { ...batch, id: SMALL, sizeBoundedBy: 'clip', offeredProfit: usdFromText('9') },
    { ...batch, id: HALF, sizeBoundedBy: 'cash', offeredProfit: usdFromText('7') },
    { ...batch, id: BY_HAND, sizeBoundedBy: null, offeredProfit: usdFromText('0.5') },
  ]);
  const { smaller, steps } = await site.ask<Funnel>('funnel');
  expect(smaller).toEqual([
    { bounded_by: 'clip', count: 1, usd: 8.5 },
    { bounded_by: 'cash', count: 1, usd: 5 },
  ]);
  expect(steps[0]).toMatchObject({ step: 'seen', usd: 56.125 + 5 });
});

it('lists series as one row each by every sort, either way, from page to page', async () => {
  await using site = await openFunnel();
  for (const sort of BATCH_RESULT_SORTS) {
    const read = async (order: string, page = '') => {
      const query = `series=one_row&sort_by=${sort}&sort_order=${order}${page}`;
      return (await site.ask<{ data: { batch_id: string }[] }>(`batches?${query}`)).data;
    };
    for (const order of ['asc', 'desc']) {
      const all = await read(order);
      expect(all, sort).toHaveLength(3);
      expect([...(await read(order, '&limit=2')), ...(await read(order, '&skip=2'))], sort).toEqual(all);
    }
  }
});

it('counts at a venue the batches with orders there, and what was missed of its events', async () => {
  await using site = await openReportSite({ VENUE: 'simulated' });
  const { db } = site.test.runtime;
  const at = async (tokens: string[]) => await recordedBatch(site.test, {}, tokens);
  const batchIds = [await at(['101', '102']), await at(['kalshi:101', 'kalshi:102']), await at(['103', 'kalshi:103'])];
  await db.insert(batchResults).values(batchIds.map((id) => result(id, AT)));
  await db.insert(missedTriggers).values([missed('8', {}), missed('2', { eventId: idAt('kalshi', 'rain') })]);
  const seenAndPlaced = async (venue: string) =>
    (await site.ask<Funnel>(`funnel?venue=${venue}`)).steps
      .filter(({ step }) => step === 'seen' || step === 'placed')
      .map(({ count, usd }) => [count, usd]);
  expect(await seenAndPlaced('polymarket')).toEqual([
    [3, 8.2],
    [2, 0.2],
  ]);
  expect(await seenAndPlaced('kalshi')).toEqual([
    [3, 2.2],
    [2, 0.2],
  ]);
  expect((await site.ask<{ batches: number }>('summary?venue=kalshi')).batches).toBe(2);
});

it.each([
  ['event_id=rain', 5, 34.5],
  ['event_id=cup', 9, 21.625],
  ['structure=exactly_one', 9, 21.625],
  ['structure=', 5, 34.5],
  ['source=found', 9, 21.625],
  ['source=import', 4, 18.5],
  ['source=', 1, 16],
  // Nothing was missed by hand.
  ['automatic=false', 1, 0.5],
  ['automatic=true', 13, 55.625],
  ['since=2026-01-02&until=2026-01-02', 14, 56.125],
  ['since=2026-01-03', 0, 0],
])('begins with what matches %s', async (query, count, usd) => {
  await using site = await openFunnel();
  const [seen] = stepsOf(await site.ask<Funnel>(`funnel?${query}`));
  expect(seen).toEqual(['seen', count, usd, 0, null]);
});

it.each([
  ['placed', '', [SMALL, HALF, BY_HAND]],
  ['filled', 'reached=filled', [SMALL, HALF]],
  ['locked', 'reached=locked', [SMALL, HALF]],
  ['cash', 'reached=cash', [SMALL]],
])('lists the batches that reached %s', async (name, query, ids) => {
  await using site = await openFunnel();
  const { steps } = await site.ask<Funnel>('funnel');
  const { data, count } = await site.ask<{ data: { batch_id: string }[]; count: number }>(`batches?${query}`);
  expect(new Set(data.map(({ batch_id: id }) => id))).toEqual(new Set(ids));
  expect(count).toBe(steps.find(({ step }) => step === name)?.count);
});

it('forgets triggers that were missed when it forgets hits', async () => {
  await using site = await openFunnel();
  const { db } = site.test.runtime;
  const age = openReportAging(openRelationAging());
  const day = 86_400_000;
  await age(db, (AT + HISTORY_DAYS * day) as Instant, new AbortController().signal);
  expect(await db.$count(missedTriggers)).toBe(3);
  await age(db, (AT + HISTORY_DAYS * day + 1) as Instant, new AbortController().signal);
  expect([await db.$count(missedTriggers), await db.$count(relationHits)]).toEqual([0, 0]);
});
