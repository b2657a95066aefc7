import type { Instant } from '@dutchbook/units/instant.ts';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openTestApp, type TestApp } from '../../platform/http/app.fixture.ts';
import { ask } from '../../platform/http/ask.fixture.ts';
import { recordedBatch } from '../../trading/execution/runner/runner.fixture.ts';
import { type FollowedSettlements, followSettlements } from '../../trading/execution/settlements.ts';
import { attempts, batches, batchOrders, fills } from '../../trading/orders/table.ts';
import { openReportSettings } from './settings.ts';
import { registerReportSettings } from './settings-routes.ts';

const DAY_MS = 86_400_000;

let site: TestApp;
let settlements: FollowedSettlements;
let stop: () => void;

beforeEach(async () => {
  site = await openTestApp({ variables: { VENUE: 'simulated' } });
  const settings = await openReportSettings(site.test.runtime);
  settlements = await followSettlements(site.test.runtime, settings);
  registerReportSettings(site.app, site.test.runtime, settings);
  stop = () => {
    settlements.stop();
    settings.stop();
  };
});

afterEach(async () => {
  stop();
  await site[Symbol.asyncDispose]();
});

/** A batch with one fill for each of these settlements, which ended so long ago. */
async function settled(kinds: readonly ('confirmed' | 'failed' | 'mined')[], agoMs = 0): Promise<string> {
  const { db, clock, random } = site.test.runtime;
  const batchId = await recordedBatch(site.test);
  const [order] = await db.select().from(batchOrders).where(eq(batchOrders.batchId, batchId));
  if (order === undefined) throw new Error('the batch has no order');
  const { id: orderId, size, price } = order;
  const at = clock.now();
  const settledAt = (at - agoMs) as Instant;
  for (const settlement of kinds) {
    const [attemptId, orderHash] = [random.uuid(), random.uuid()];
    const instants = { createdAt: at, updatedAt: at };
    const signed = { orderHash, salt: '1', payload: '{}', size, price, status: 'matched' as const };
    await db.insert(attempts).values({ id: attemptId, orderId, batchId, ...signed, ...instants });
    await db.insert(fills).values({
      ...{ tradeId: orderHash, orderHash, attemptId, batchId, price, size, cost: order.filledCost, fee: order.fee },
      ...{ settlement, matchedAt: at, createdAt: at, settledAt: settlement === 'mined' ? null : settledAt },
    });
  }
  return batchId;
}

const of = (kind: 'confirmed' | 'failed' | 'mined', times: number) => Array.from({ length: times }, () => kind);

it('are read by every user, and changed by superusers within their bounds, which stands in the audit log', async () => {
  const { headers } = await site.signedIn();
  const { headers: superuser } = await site.signedIn({ isSuperuser: true, email: 'chief@example.com' });
  const unchanged = { hurdle: 0.044, pause_above_failed: null };
  expect(await ask(site, headers, 'GET', '/report/settings')).toEqual([200, unchanged]);
  const wanted = { hurdle: 0.06, pause_above_failed: 0.02 };
  expect(await ask(site, headers, 'PUT', '/report/settings', wanted)).toMatchObject([403, {}]);
  for (const wrong of [{ pause_above_failed: 1.01 }, { pause_above_failed: -0.1 }, { hurdle: -1 }, { hurdle: 'x' }])
    expect(await ask(site, superuser, 'PUT', '/report/settings', { ...wanted, ...wrong })).toMatchObject([422, {}]);
  expect(await ask(site, headers, 'GET', '/report/settings')).toEqual([200, unchanged]);
  expect(await ask(site, superuser, 'PUT', '/report/settings', wanted)).toEqual([200, wanted]);
  expect(await ask(site, headers, 'GET', '/report/settings')).toEqual([200, wanted]);
  expect(await ask(site, superuser, 'GET', '/audit-log/?skip=0&limit=1')).toMatchObject([
    200,
    { data: [{ action: 'report.changed', object: 'simulated', actor: 'chief@example.com', after: wanted }] },
  ]);
});

it('count how the settlements of the last day ended, once buying may pause for them', async () => {
  const { headers: superuser } = await site.signedIn({ isSuperuser: true });
  const simulated = await settled(of('failed', 2));
  await site.test.runtime.db.update(batches).set({ simulated: true }).where(eq(batches.id, simulated));
  await settled([...of('confirmed', 9), ...of('failed', 1), ...of('mined', 3)]);
  await settled(of('failed', 4), DAY_MS + 1);
  await site.test.time.advance(5000);
  expect(settlements.current()).toBeNull();

  const change = (pause: number | null) =>
    ask(site, superuser, 'PUT', '/report/settings', { hurdle: 0.044, pause_above_failed: pause });
  await change(0.05);
  await expect.poll(() => settlements.current()).toEqual({ confirmed: 9, failed: 1, pauseAbove: 50_000 });
  await settled(of('failed', 1));
  await site.test.time.advance(5000);
  await expect.poll(() => settlements.current()).toMatchObject({ confirmed: 9, failed: 2 });
  const { db, clock } = site.test.runtime;
  await db.update(fills).set({ settledAt: (clock.now() - DAY_MS - 1) as Instant });
  await site.test.time.advance(5000);
  await expect.poll(() => settlements.current()).toMatchObject({ confirmed: 0, failed: 0 });
  await change(null);
  expect(settlements.current()).toBeNull();
});
