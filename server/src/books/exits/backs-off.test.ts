/** Retries of a failure wait ever longer, and one alarm is sent. */
import type { Market } from '@dutchbook/engine/market/market.ts';
import { usdFromText } from '@dutchbook/units/usd.ts';
import { inArray, sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { notifications } from '../../people/notifications/table.ts';
import { onlyEngine } from '../../platform/engines/engines.ts';
import { keptDesk } from '../../trading/chain-steps/chain-desk.fixture.ts';
import { chainSubmissions } from '../../trading/chain-steps/table.ts';
import { startAutomaticExits } from './automatic.ts';

const MINUTE_MS = 60_000;
/** Longer than the loops wait from one look to the next, and shorter than anything that they wait for. */
const SWEEP_MS = 5000;

const kept = keptDesk();

let stop = () => {};
let switched = { auto_cash_now: false, auto_redeem: false };
beforeEach(() => {
  const { trading } = kept.site.venue;
  if (trading === null) throw new Error('the venue trades');
  const settings = { current: () => ({ ...switched, auto_cash_now_min_usd: usdFromText('1') }) };
  stop = startAutomaticExits({ ...kept.desk.parts, trading, partitions: onlyEngine().partitions, settings });
});
afterEach(() => stop());

async function reported(): Promise<string[]> {
  const ofSubmissions = inArray(notifications.notificationType, ['submission_failed', 'submission_differs']);
  const rows = await kept.test.runtime.db.select().from(notifications).where(ofSubmissions);
  return rows.map(({ message }) => message);
}

/** How many submissions there are of each status. */
async function counted(): Promise<Record<string, number>> {
  const ofStatus = Map.groupBy(await kept.desk.submissions(), ({ row }) => row.status);
  return Object.fromEntries([...ofStatus].map(([status, rows]) => [status, rows.length]));
}

async function passMinutes(count: number): Promise<void> {
  await kept.test.time.leap(count * MINUTE_MS, SWEEP_MS);
}

/** What has failed did so an hour earlier. */
async function asIfLater(): Promise<void> {
  const endedAt = sql`${chainSubmissions.endedAt} - interval '1 hour'`;
  await kept.test.runtime.db.update(chainSubmissions).set({ endedAt });
}

async function won(isReported: boolean): Promise<Market> {
  const { market } = await kept.boughtPair();
  await kept.site.control.report(market.id, isReported);
  await kept.site.control.resolve(market.id, market.outcomes[0]?.outcome ?? '');
  kept.site.venue.forget();
  return market;
}

it('redeems what the contracts have no result of yet ever later, notified once, and at last', async () => {
  switched = { auto_cash_now: false, auto_redeem: true };
  const market = await won(false);
  await passMinutes(8);
  // In the first minute, and as soon as one and two minutes after that have passed.
  expect(await counted()).toEqual({ failed: 3 });
  expect(await reported()).toEqual([
    expect.stringContaining('Not sent: the chain would refuse it: result for condition not received yet.'),
  ]);
  await kept.site.control.report(market.id, true);
  await asIfLater();
  await passMinutes(1);
  await kept.desk.untilIdle();
  expect([await counted(), (await reported()).length]).toEqual([{ failed: 3, confirmed: 1 }, 1]);
});

it('holds up no other market by one that fails', async () => {
  switched = { auto_cash_now: false, auto_redeem: true };
  await won(false);
  await passMinutes(2);
  await won(true);
  await passMinutes(2);
  await kept.desk.untilIdle();
  const isConfirmed = (await kept.desk.submissions()).filter(({ row }) => row.status === 'confirmed');
  expect(isConfirmed).toMatchObject([{ row: { received: 10_000_000 }, steps: [{ kind: 'redeem' }] }]);
  expect(await reported()).toHaveLength(1);
});

it('merges what the chain takes back ever later, notified once', async () => {
  switched = { auto_cash_now: true, auto_redeem: false };
  await kept.site.control.fault('chain_no_effect', { times: 100 });
  await kept.boughtPair();
  for (let minute = 0; minute < 3; minute += 1) {
    await passMinutes(1);
    await kept.desk.untilIdle(1);
  }
  expect([await counted(), await reported()]).toMatchObject([
    { failed: 2 },
    [expect.stringContaining('moved nothing')],
  ]);
  await kept.site.control.clearFaults();
  await asIfLater();
  await passMinutes(1);
  await kept.desk.untilIdle();
  expect([await counted(), (await reported()).length]).toEqual([{ failed: 2, confirmed: 1 }, 1]);
});
