import type { readBatchResult } from '@dutchbook/contract/batch-results.ts';
import type { readReport } from '@dutchbook/contract/report.ts';
import { utcDayOf } from '@dutchbook/engine/batch/realised.ts';
import { linesOfArrival, linesOfNaming } from '@dutchbook/engine/ledger/entries-from-outside.ts';
import type { LedgerLine } from '@dutchbook/engine/ledger/entry.ts';
import { fractionFromText } from '@dutchbook/units/fraction.ts';
import { type Instant, instantFromIso, instantFromMs } from '@dutchbook/units/instant.ts';
import { priceFromText } from '@dutchbook/units/price.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import { USD_ZERO, usdFromText } from '@dutchbook/units/usd.ts';
import { asc, desc, eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import type * as z from 'zod/mini';
import { onlyEngine } from '../../platform/engines/engines.ts';
import { recordedBatch } from '../../trading/execution/runner/runner.fixture.ts';
import { ledgerEntries } from '../../trading/ledger/table.ts';
import { batches, batchOrders } from '../../trading/orders/table.ts';
import { keepResults } from './keep-results.ts';
import { openReportSite, type ReportSite } from './report.fixture.ts';
import { result } from './result.fixture.ts';
import { presentSettlements } from './settlements.ts';
import { batchResults, cashDays, legResults, venueResults } from './table.ts';

const DAY_MS = 86_400_000;
const CUP = 'b0000000-0000-4000-8000-000000000001';
const RAIN = 'b0000000-0000-4000-8000-000000000002';
const usd = usdFromText;

const summaryOf = (site: ReportSite, query = '') => site.ask<z.input<typeof readReport.reply>>(`summary?${query}`);

it('puts what is bound until its cash is expected against what it earns, but for what has no known end', async () => {
  await using site = await openReportSite();
  site.settings.hurdle = fractionFromText('0.05');
  const { db, clock, random } = site.test.runtime;
  const before = (days: number) => (clock.now() - days * DAY_MS) as Instant;
  expect(await summaryOf(site)).toMatchObject({ batches: 0, capital_days: 0, annualised: null, hurdle: 0.05 });
  await db.insert(batchResults).values([
    // Ten dollars for three days, paid.
    result(CUP, before(9), { matchedAt: before(9), capitalDays: usd('30'), paidProfit: usd('0.25') }),
    // Ten dollars since a day, whose market ends in three: five days until they are there.
    result(random.uuid(), before(1), {
      ...{ matchedAt: before(1), locked: usd('10'), lockedProfit: usd('0.15'), releaseAt: before(-3) },
    }),
    // Five dollars since four days, two of them after the end of its market: the days go on.
    result(random.uuid(), before(4), {
      ...{ matchedAt: before(4), locked: usd('5'), lockedProfit: usd('0.1'), releaseAt: before(2) },
    }),
    // Twenty dollars since half a day.
    result(RAIN, before(1), { matchedAt: before(0.5), locked: usd('20'), lockedProfit: usd('1') }),
  ]);
  const rest = { fees: USD_ZERO, movedBeforeSend: USD_ZERO, movedInFlight: USD_ZERO, sizeAdded: USD_ZERO };
  await db.insert(cashDays).values({ batchId: CUP, day: utcDayOf(before(6)), paid: usd('0.25'), ...rest });
  const figures = { capital_usd: 35, capital_days: 70, annualised: 1.825, paid_usd: 0.25, locked_usd: 1.25 };
  expect(await summaryOf(site)).toMatchObject(figures);
  await site.test.time.advance(DAY_MS / 1000);
  expect(await summaryOf(site)).toMatchObject({ capital_usd: 35, capital_days: 70.035 });
});

it('divides what orders cost, brought and bind between their venues, which add up to the whole', async () => {
  await using site = await openReportSite();
  const { db, clock, random } = site.test.runtime;
  const now = clock.now();
  const both = random.uuid();
  const slipped = { movedBeforeSend: usd('0.02'), movedInFlight: usd('0.01'), sizeAdded: USD_ZERO };
  await db
    .insert(batchResults)
    .values([
      result(CUP, now, { received: usd('1'), fees: usd('0.01'), locked: usd('0.4'), legs: 3, filledLegs: 3 }),
      result(RAIN, now, { eventId: 'kalshi:rain', paid: usd('2'), locked: usd('2'), ...slipped }),
      result(both, now, { paid: usd('5'), received: usd('3'), fees: usd('0.2'), locked: usd('1'), ...slipped }),
    ]);
  const part = { batchId: both, legs: 1, received: usd('3'), fees: usd('0.2'), locked: USD_ZERO, ...slipped };
  const none = { received: USD_ZERO, fees: USD_ZERO, movedBeforeSend: USD_ZERO, movedInFlight: USD_ZERO };
  await db.insert(venueResults).values([
    { ...part, venue: 'polymarket', filledLegs: 1, paid: usd('3') },
    { ...part, venue: 'kalshi', filledLegs: 0, paid: usd('2'), locked: usd('1'), ...none },
  ]);
  const { by_venue: venues, ...whole } = await summaryOf(site);
  expect(venues).toMatchObject([
    {
      ...{ venue: 'polymarket', batches: 2, legs: 4, filled_legs: 4, cost_usd: 3.9, received_usd: 4 },
      ...{ fees_usd: 0.21, slippage_usd: 0.03, capital_usd: 0.4 },
    },
    {
      ...{ venue: 'kalshi', batches: 2, legs: 3, filled_legs: 2, cost_usd: 4, received_usd: 0 },
      ...{ fees_usd: 0, slippage_usd: 0.03, capital_usd: 3 },
    },
  ]);
  for (const name of ['cost_usd', 'fees_usd', 'slippage_usd', 'capital_usd'] as const)
    expect([name, venues.reduce((sum, each) => sum + each[name], 0)]).toEqual([name, expect.closeTo(whole[name], 6)]);
  const there = await summaryOf(site, 'event_id=kalshi:rain');
  expect(there.by_venue).toMatchObject([{ venue: 'kalshi', batches: 1, cost_usd: 2 }]);
  expect((await summaryOf(site, 'source=none-of-these')).by_venue).toEqual([]);
});

it('keeps of a batch over several venues what it did at each', async () => {
  await using site = await openReportSite();
  const { runtime } = site.test;
  const both = await recordedBatch(site.test, {}, ['101', 'kalshi:102', 'kalshi:103']);
  await recordedBatch(site.test, {}, ['kalshi:102']);
  const keep = () => keepResults({ runtime, quotes: { current: () => [] }, partitions: onlyEngine().partitions });
  await keep();
  await runtime.db.update(batches).set({ resultsDue: true });
  await keep();
  const kept = await runtime.db.select().from(venueResults).orderBy(desc(venueResults.venue));
  expect(kept).toMatchObject([
    { batchId: both, venue: 'polymarket', legs: 1, filledLegs: 0, paid: 0, locked: 0 },
    { batchId: both, venue: 'kalshi', legs: 2 },
  ]);
  expect((await summaryOf(site)).by_venue).toMatchObject([
    { venue: 'polymarket', batches: 1, legs: 1 },
    { venue: 'kalshi', batches: 2 },
  ]);
});

it('takes the middle of the times that are known', async () => {
  await using site = await openReportSite();
  const { db, clock, random } = site.test.runtime;
  const now = clock.now();
  const after = (ms: number) => (now + ms) as Instant;
  await db.insert(batchResults).values(
    Array.from({ length: 10 }, (_, nth) =>
      result(random.uuid(), now, {
        sentAt: after(10 * (nth + 1)),
        matchedAt: nth < 9 ? after(100 * (nth + 1)) : null,
        confirmedAt: nth === 0 ? after(40 * DAY_MS) : null,
      }),
    ),
  );
  const { times } = await summaryOf(site);
  expect(times).toEqual({
    sent: { p50_ms: 50, p90_ms: 90, count: 10 },
    matched: { p50_ms: 500, p90_ms: 900, count: 9 },
    confirmed: { p50_ms: 40 * DAY_MS, p90_ms: 40 * DAY_MS, count: 1 },
    cash: null,
  });
});

it('tells the gas of the days asked for, and of some batches that of the submissions in which they have a part', async () => {
  await using site = await openReportSite();
  const { db, random } = site.test.runtime;
  const batchId = await recordedBatch(site.test);
  const [ours, others] = [random.uuid(), random.uuid()];
  await db
    .update(batchOrders)
    .set({ chainStepId: random.uuid(), submissionId: ours })
    .where(eq(batchOrders.batchId, batchId));
  const at = instantFromIso('2026-01-02T23:59:59Z');
  await db.insert(batchResults).values([result(batchId, at), result(RAIN, at, { eventId: 'rain' })]);
  const gas = (amount: number, submissionId: string | null, dayAfter = 0) => ({
    at: (at + dayAfter * DAY_MS) as Instant,
    kind: 'gas' as const,
    submissionId,
    lines: [
      { account: 'gas', unit: 'pol', amount },
      { account: 'outside', unit: 'pol', amount: -amount },
    ] satisfies LedgerLine[],
  });
  await db.insert(ledgerEntries).values([gas(10_000, ours), gas(200_000, others), gas(3_000_000, null, 1)]);
  const gasOf = async (query: string) => (await summaryOf(site, query)).gas;
  expect(await gasOf('')).toEqual([{ unit: 'pol', amount: '3.210000' }]);
  expect(await gasOf('until=2026-01-02')).toEqual([{ unit: 'pol', amount: '0.210000' }]);
  expect(await gasOf('event_id=cup')).toEqual([{ unit: 'pol', amount: '0.010000' }]);
  expect(await gasOf('event_id=rain')).toEqual([]);
});

it('shows a batch leg by leg', async () => {
  await using site = await openReportSite();
  const { db, clock } = site.test.runtime;
  const batchId = await recordedBatch(site.test);
  await db.insert(batchResults).values(result(batchId, clock.now(), { booksAgeMs: 40, source: 'desk' }));
  const orders = await db.select().from(batchOrders).orderBy(asc(batchOrders.ordinal));
  await db.insert(legResults).values(
    orders.map(({ id, leg, size }) => ({
      ...{ batchId, orderId: id, leg, hour: 0, ordered: size, filled: sharesFromText('4') },
      ...{ predictedPrice: priceFromText('0.4'), averagePrice: leg === 1 ? null : priceFromText('0.42') },
      ...{ predictedFee: usd('0.01'), fee: usd('0.02'), paid: usd('1.68') },
      ...{ movedBeforeSend: usd('0.05'), movedInFlight: usd('-0.01'), sizeAdded: usd('0.04') },
    })),
  );
  const { batch, legs } = await site.ask<z.input<typeof readBatchResult.reply>>(`batches/${batchId}`);
  expect(batch).toMatchObject({
    batch_id: batchId,
    source: 'desk',
    books_age_ms: 40,
    predicted_usd: 0.1,
    sent_ms: null,
  });
  expect(legs).toHaveLength(orders.length);
  expect(legs[1]).toEqual({
    ...{ order_id: orders[1]?.id, leg: 2, market_name: orders[1]?.marketName, outcome: 'Yes', ordered: 10, filled: 4 },
    ...{ predicted_price: 0.4, average_price: 0.42, predicted_fee_usd: 0.01, fee_usd: 0.02, paid_usd: 1.68 },
    ...{ slippage_usd: 0.08, moved_before_send_usd: 0.05, moved_in_flight_usd: -0.01, size_added_usd: 0.04 },
  });
  expect(legs[0]).toMatchObject({ leg: 1, average_price: null });
});

it('tells what was lost by selling, and nothing of what contracts have converted', async () => {
  await using site = await openReportSite();
  const { db, clock, random } = site.test.runtime;
  const batchId = await recordedBatch(site.test);
  const filled = { filledSize: sharesFromText('10'), filledCost: usd('4'), fee: usd('0.02') };
  await db.update(batchOrders).set(filled).where(eq(batchOrders.batchId, batchId));
  const [first, second] = await db.select().from(batchOrders).orderBy(asc(batchOrders.ordinal));
  if (first === undefined || second === undefined) throw new Error('two orders were recorded');
  const sale = (of: typeof first, ordinal: number, proceeds: string) => ({
    ...{ ...of, id: random.uuid(), ordinal, side: 'sell' as const, sellsOrderId: of.id, size: sharesFromText('5') },
    ...{ filledSize: sharesFromText('5'), filledCost: usd(proceeds), fee: usd('0.01') },
  });
  await db
    .insert(batchOrders)
    .values([
      sale(first, 2, '1.5'),
      { ...sale(second, 3, '0'), chainStepId: random.uuid(), submissionPurpose: 'cash_now' as const },
    ]);
  await db.insert(batchResults).values(result(batchId, clock.now()));
  // Five shares cost 2.01 with their fees, and brought 1.49.
  expect(await summaryOf(site)).toMatchObject({ sale_loss_usd: 0.52 });
});

it('tells how many settlements failed whether or not buying pauses by it', () => {
  const limit = fractionFromText('0.05');
  const counted = { confirmed: 9, failed: 1 };
  const served = { settled: 9, undone: 1, rate: fractionFromText('0.1') };
  expect(presentSettlements(counted, null)).toEqual({ ...served, pauses_above: null, is_paused: false });
  expect(presentSettlements(counted, limit)).toEqual({ ...served, pauses_above: limit, is_paused: true });
  expect(presentSettlements({ confirmed: 0, failed: 0 }, limit)).toMatchObject({ rate: null, is_paused: false });
});

it('tells what came beside trading of the days asked for, by when it came and not by when a person named it', async () => {
  await using site = await openReportSite();
  const { db, clock } = site.test.runtime;
  const day = (nth: number) => instantFromMs(clock.now() + nth * DAY_MS);
  await db.insert(ledgerEntries).values([
    { at: day(0), kind: 'unknown', lines: linesOfArrival('unknown', 10_000_000, 'polymarket') },
    { at: day(0), kind: 'unknown', lines: linesOfArrival('unknown', 2_000_000, 'polymarket') },
    { at: day(1), kind: 'rebate', lines: linesOfArrival('rebate', 250_001, 'polymarket') },
    { at: day(1), kind: 'deposit', lines: linesOfArrival('deposit', 5_000_000, 'polymarket') },
  ]);
  const named = { at: day(2), kind: 'reward' as const, lines: linesOfNaming('reward', 10_000_000) };
  const [unknown] = await db.select().from(ledgerEntries).where(eq(ledgerEntries.kind, 'unknown'));
  await db.insert(ledgerEntries).values({ ...named, namesEntryId: unknown?.id ?? 0 });
  const incomeOf = async (query: string) => {
    const { rewards_usd, rebates_usd, unknown_usd } = (await summaryOf(site, query)).income;
    return [rewards_usd, rebates_usd, unknown_usd];
  };
  expect(await incomeOf('')).toEqual([10, 0.250001, 2]);
  expect(await incomeOf('until=2026-01-01')).toEqual([10, 0, 2]);
  expect(await incomeOf('since=2026-01-02')).toEqual([0, 0.250001, 0]);
});
