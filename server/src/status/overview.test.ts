import { API_PREFIX } from '@dutchbook/contract/endpoint.ts';
import type { NotificationType } from '@dutchbook/contract/notification-types.ts';
import type { Activity } from '@dutchbook/contract/status.ts';
import type { LedgerLine } from '@dutchbook/engine/ledger/entry.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import { usdFromText } from '@dutchbook/units/usd.ts';
import { eq, inArray } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { keepResults } from '../books/report/keep-results.ts';
import { result } from '../books/report/result.fixture.ts';
import { batchResults } from '../books/report/table.ts';
import { readDraft } from '../market/opportunities/draft.ts';
import { insertDrafts } from '../market/opportunities/insert-drafts.ts';
import { opportunities, opportunityPrices } from '../market/opportunities/table.ts';
import { missedTriggers } from '../market/prices/table.ts';
import { record } from '../people/notifications/notification.fixture.ts';
import { recordNotification } from '../people/notifications/record.ts';
import { openTestApp, type TestApp } from '../platform/http/app.fixture.ts';
import { ended, recordedBatch, SIZE, start, until } from '../trading/execution/runner/runner.fixture.ts';
import { ledgerEntries } from '../trading/ledger/table.ts';
import { listBatches } from '../trading/orders/batch-store.ts';
import { batches, batchOrders } from '../trading/orders/table.ts';
import { ENTRIES_READ } from './activity.ts';

const NOTHING = {
  active_opportunities: 0,
  triggered_opportunities: 0,
  running_batches: 0,
  unhedged_batches: 0,
  unhedged_usd: 0,
  realised_today_usd: 0,
  batches_today: 0,
  fee_stops: [],
  failed_notifications: 0,
  missed_today: [],
};
const NO_STEP = { found: false, judged: false, bought: false, exited: false };

async function readerOf(site: TestApp) {
  const { headers } = await site.signedIn();
  return async () => {
    const reply = await site.http.inject({ url: `${API_PREFIX}/system/overview`, headers });
    return reply.json();
  };
}

async function idsOfBatches({ test }: TestApp, unhedged: boolean) {
  const page = { skip: 0, limit: 10, sortBy: 'created_at', sortOrder: 'desc' } as const;
  const { rows } = await listBatches(test.runtime.db, { unhedged }, page);
  return rows.map(({ id }) => id);
}

async function addOpportunity({ test }: TestApp, market: string, fields: { active: boolean; triggered?: boolean }) {
  const { triggered = false, active } = fields;
  const combinations = [{ leg: 1, markets: [{ id: market, outcome: 'Yes' }] }];
  const result = readDraft({ market_combinations: combinations, active });
  if (result.kind === 'refused') throw new Error(result.reason);
  const { created } = await insertDrafts(test.runtime, [result.draft]);
  const mine = inArray(opportunityPrices.opportunityId, [...created.values()]);
  await test.runtime.db.update(opportunityPrices).set({ triggered }).where(mine);
}

describe('the overview', () => {
  it('counts opportunities and running batches', async () => {
    await using site = await openTestApp({ variables: { VENUE: 'simulated' } });
    const overview = await readerOf(site);
    expect(await overview()).toEqual({ ...NOTHING, first_steps: NO_STEP, cash_usd: null, open_exposure_usd: 0 });
    await addOpportunity(site, 'one', { active: true, triggered: true });
    await addOpportunity(site, 'two', { active: true });
    await addOpportunity(site, 'three', { active: false });
    await recordedBatch(site.test);
    await record(site, 'arrived', { status: 'sent' });
    await record(site, 'lost', { status: 'failed' });
    expect(await overview()).toMatchObject({
      ...NOTHING,
      active_opportunities: 2,
      triggered_opportunities: 1,
      running_batches: 1,
      failed_notifications: 1,
    });
  });

  it('says which of the first steps the desk has made', async () => {
    await using site = await openTestApp({ variables: { VENUE: 'simulated' } });
    const overview = await readerOf(site);
    const { placing } = await start(site.test);
    await addOpportunity(site, 'one', { active: true });
    expect((await overview()).first_steps).toEqual({ ...NO_STEP, found: true });
    const { runtime } = site.test;
    const triggered = { type: 'opportunity_triggered', opportunityId: null, message: 'It pays', data: {} } as const;
    await recordNotification(runtime.db, runtime, triggered);
    expect((await overview()).first_steps).toEqual({ ...NO_STEP, found: true, judged: true });
    const batchId = await recordedBatch(site.test);
    placing.wake(batchId);
    await until(site.test, batchId, ended);
    await placing.stop();
    expect((await overview()).first_steps).toEqual({ found: true, judged: true, bought: true, exited: false });
    await runtime.db.update(batchOrders).set({ side: 'sell' }).where(eq(batchOrders.batchId, batchId));
    expect((await overview()).first_steps).toMatchObject({ exited: true });
  });

  it('says what paid today and was not bought, by the reasons that cost most', async () => {
    await using site = await openTestApp({ variables: { VENUE: 'simulated' } });
    const { db, clock, random } = site.test.runtime;
    const overview = await readerOf(site);
    const missed = (refusal: string, usd: string, at = clock.now()) => ({
      ...{ id: random.uuid(), at, opportunityId: random.uuid(), source: 'import', eventId: 'cup', refusal },
      profit: usdFromText(usd),
    });
    await db
      .insert(missedTriggers)
      .values([
        missed('Leg 1 is short of 4 shares.', '2'),
        missed('Leg 2 is short of 11 shares.', '5'),
        missed('The balance is $1.00, needs $9.50.', '9'),
        missed('Trading is disarmed.', '1'),
        missed('A clip takes up to $9.50, CLIP_USD is $9.49.', '0.5'),
        missed('Trading is disarmed.', '90', (clock.now() - 86_400_000) as Instant),
      ]);
    expect((await overview()).missed_today).toEqual([
      ...[
        { reason: 'The balance is $#, needs $#', example: 'The balance is $1.00, needs $9.50.', count: 1, usd: 9 },
        { reason: 'A leg is short of # shares', example: 'Leg 2 is short of 11 shares.', count: 2, usd: 7 },
        { reason: 'Trading is disarmed', example: null, count: 1, usd: 1 },
      ].map((each) => ({ ...each, bound: null })),
      expect.objectContaining({ count: 1, usd: 0.5, bound: null }),
    ]);
  });

  it('says beside that of what less was bought than paid, and what bounded it', async () => {
    await using site = await openTestApp({ variables: { VENUE: 'simulated' } });
    const { db, clock } = site.test.runtime;
    const overview = await readerOf(site);
    const batchId = await recordedBatch(site.test);
    const bounded = { sizeBoundedBy: 'loss allowance' as const, offeredProfit: usdFromText('207.1') };
    await db.update(batches).set(bounded).where(eq(batches.id, batchId));
    await db.insert(batchResults).values(result(batchId, clock.now()));
    expect((await overview()).missed_today).toEqual([
      {
        reason:
          'Orders were smaller than what paid, bounded by the loss allowance of a clip; raise LOSS_ALLOWANCE_USD to buy more',
        ...{ example: null, count: 1, usd: 207, bound: 'LOSS_ALLOWANCE_USD' },
      },
    ]);
  });

  it('adds up what ended since the day began, and what is unhedged, without what is only simulated', async () => {
    await using site = await openTestApp({ variables: { VENUE: 'simulated' } });
    const { test } = site;
    const read = await readerOf(site);
    const overview = async () => {
      await keepResults({ runtime: test.runtime, quotes: { current: () => [] }, partitions: { held: () => null } });
      return await read();
    };
    const { venue, placing } = await start(test);
    const endedBatch = async (settings = {}) => {
      const batchId = await recordedBatch(test, { BATCH_COMPLETION_TIMEOUT_HOURS: 0.01, ...settings });
      placing.wake(batchId);
      return batchId;
    };
    await until(test, await endedBatch(), ended);
    await endedBatch({ ORDER_SIMULATION_ENABLED: true }).then((batchId) => until(test, batchId, ended));
    expect(await overview()).toMatchObject({
      ...NOTHING,
      batches_today: 1,
      // Two legs of ten shares at 0.40.
      open_exposure_usd: 8,
    });

    const known = venue.orders.size;
    venue.onPost((order) => venue.take(order, venue.orders.size === known ? SIZE : sharesFromText('4')));
    const lopsided = await endedBatch();
    await until(test, lopsided, ({ fills }) => fills.length === 2);
    const exposed = { ...NOTHING, unhedged_batches: 1, unhedged_usd: 2.4 };
    expect(await overview()).toMatchObject({ ...exposed, running_batches: 1, batches_today: 1 });
    await test.time.advance(36_000);
    await until(test, lopsided, ended);
    await placing.stop();
    const later = await overview();
    // What is held or locked in is realised by nothing yet.
    expect(later).toMatchObject({ ...exposed, realised_today_usd: 0, batches_today: 2 });
    expect(await idsOfBatches(site, true), 'the list shows the batches that the exposure is of').toEqual([lopsided]);
    expect(await idsOfBatches(site, false)).toHaveLength(2);
    await test.runtime.db.update(batches).set({ status: 'sold' }).where(eq(batches.id, lopsided));
    expect(await overview()).toMatchObject({ ...NOTHING, batches_today: 2 });
  });

  it('lists the latest of what was found, triggered, refused, bought, filled and became cash', async () => {
    await using site = await openTestApp({ variables: { VENUE: 'simulated' } });
    const { runtime } = site.test;
    const { headers } = await site.signedIn();
    const kinds = async () => {
      const reply = await site.http.inject({ url: `${API_PREFIX}/system/activity`, headers });
      return (reply.json().data as Activity[]).map(({ kind, text }) => [kind, text]);
    };
    expect(await kinds()).toEqual([]);
    const told = async (type: NotificationType, message: string) => {
      await site.test.time.advance(1000);
      await recordNotification(runtime.db, runtime, { type, opportunityId: null, message, data: {} });
    };
    await told(
      'opportunity_triggered',
      'Cup: the profit has come up to 2.00%. Now a set costs 0.9. Orders are being placed',
    );
    await told(
      'opportunity_triggered',
      'Cup: the profit has come up to 2.00%. Now a set costs 0.9. No order is placed: Leg 1 is short.',
    );
    await told('order_placed', 'Cup: 10 sets are being bought automatically');
    await told('feed_down', 'No prices');
    await told('batch_completed', 'Cup: the batch is completed');
    await site.test.time.advance(1000);
    const lines: LedgerLine[] = [
      { account: 'cash', unit: 'usd', amount: 10_000_000 },
      { account: 'traded', unit: 'usd', amount: -10_000_000 },
    ];
    const call = { at: runtime.clock.now(), kind: 'redeem', lines, submissionId: runtime.random.uuid() } as const;
    await runtime.db.insert(ledgerEntries).values([call, call]);
    await site.test.time.advance(1000);
    await addOpportunity(site, 'one', { active: true });
    await runtime.db.update(opportunities).set({ relationId: runtime.random.uuid() });
    expect(await kinds()).toEqual([
      ['found', expect.any(String)],
      ['cash', '$20.00 was paid for shares of a resolved market'],
      ['filled', 'Cup: the batch is completed'],
      ['bought', 'Cup: 10 sets are being bought automatically'],
      ['refused', 'Cup: the profit has come up to 2.00%. Leg 1 is short.'],
      ['triggered', 'Cup: the profit has come up to 2.00%'],
    ]);
    await site.test.time.advance(1000);
    const later = { ...call, at: runtime.clock.now(), submissionId: runtime.random.uuid() };
    await runtime.db.insert(ledgerEntries).values(Array.from({ length: ENTRIES_READ - 1 }, () => later));
    const cash = (await kinds()).filter(([kind]) => kind === 'cash');
    expect(cash, 'no call of which only some entries were read').toEqual([
      ['cash', '$3,990.00 was paid for shares of a resolved market'],
    ]);
    for (let nth = 0; nth < 60; nth += 1) await told('order_placed', `Batch ${nth}`);
    const latest = await kinds();
    expect([latest.length, latest[0]]).toEqual([50, ['bought', 'Batch 59']]);
  });
});
