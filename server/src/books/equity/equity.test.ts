import { type Instant, instantToIso, startOfUtcDay } from '@dutchbook/units/instant.ts';
import { PRICE_ONE, PRICE_ZERO } from '@dutchbook/units/price.ts';
import { type Usd, usdFromText } from '@dutchbook/units/usd.ts';
import { and, eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ask } from '../../platform/http/ask.fixture.ts';
import { openSellingSite, type SellingSite } from '../../trading/batches/selling.fixture.ts';
import { ledgerChecks, ledgerEntries } from '../../trading/ledger/table.ts';
import { batches, batchOrders } from '../../trading/orders/table.ts';
import { keepEquity } from './equity.ts';
import { equityPoints } from './table.ts';

let site: SellingSite;
let headers: Record<string, string>;
let beganAt: Instant;
beforeEach(async () => {
  site = await openSellingSite();
  ({ headers } = await site.signedIn());
  beganAt = site.test.runtime.clock.now();
});
afterEach(() => site[Symbol.asyncDispose]());

async function equity(): Promise<Record<string, unknown>> {
  // What was read a second ago is not read again.
  await site.test.time.advance(1100);
  const [status, body] = await ask(site, headers, 'GET', '/portfolio/equity');
  expect(status).toBe(200);
  return body;
}

async function pay(dollars: string, kind: 'opening' | 'deposit'): Promise<void> {
  const amount = usdFromText(dollars);
  await site.test.runtime.db.insert(ledgerEntries).values({
    ...{ at: site.test.runtime.clock.now(), kind },
    lines: [
      { account: 'cash', unit: 'usd', amount },
      { account: 'outside', unit: 'usd', amount: -amount },
    ],
  });
}

/** As after the first comparison with the venue. */
async function openLedger(): Promise<void> {
  await pay('1000', 'opening');
  const cash = usdFromText('1000');
  await site.test.runtime.db
    .insert(ledgerChecks)
    .values({ id: 1, at: beganAt, venueCash: cash, ledgerCash: cash, differences: [] });
}

describe('the equity of the account', () => {
  it('is not known before the ledger was compared with the venue', async () => {
    expect(await equity()).toMatchObject({ equity_usd: null, today: null, week: null, curve: [] });
  });

  it('is cash, whole sets at what they pay and other shares at the bid, and a deposit is no profit', async () => {
    await openLedger();
    site.bid('101', ['0.5', '100']);
    await site.bought(['10', '4']);
    const parts = { cash_usd: 994.4, locked_usd: 4, shares_usd: 3, unpriced: 0 };
    const change = { since: instantToIso(beganAt), change_usd: 1.4 };
    expect(await equity()).toMatchObject({ equity_usd: 1001.4, ...parts, today: change, week: change });
    await pay('50', 'deposit');
    const { curve, ...later } = await equity();
    expect(later).toMatchObject({ equity_usd: 1051.4, cash_usd: 1044.4, today: change, below_peak_usd: 0 });
    expect((curve as { equity_usd: number }[]).map(({ equity_usd }) => equity_usd)).toEqual([1050, 1051.4]);
  });

  it('counts shares without a fresh price with nothing, and says how many those are', async () => {
    await openLedger();
    await site.bought(['10', '4']);
    expect(await equity()).toMatchObject({ equity_usd: 998.4, shares_usd: 0, unpriced: 1 });
  });

  it('counts shares whose set is still being bought with what they have cost, until that is a leg risk', async () => {
    await openLedger();
    site.bid('101', ['0.3', '100']);
    await site.bought(['10', '4']);
    await site.stop();
    const { db, clock } = site.test.runtime;
    await db.update(batches).set({ status: 'processing' });
    expect(await equity()).toMatchObject({ equity_usd: 1000.8, locked_usd: 4, shares_usd: 2.4, unpriced: 0 });
    await db.update(batches).set({ legRiskNotifiedAt: clock.now() });
    expect(await equity()).toMatchObject({ equity_usd: 1000.2, shares_usd: 1.8 });
  });

  it('says what resolved markets pay and was not redeemed', async () => {
    await openLedger();
    const batchId = await site.bought(['10', '4']);
    const { db } = site.test.runtime;
    const ofBatch = (tokenId: string) => and(eq(batchOrders.batchId, batchId), eq(batchOrders.tokenId, tokenId));
    await db.update(batchOrders).set({ resolvedValue: PRICE_ONE }).where(ofBatch('101'));
    expect(await equity()).toMatchObject({ redeemable_usd: 10 });
    await db.update(batchOrders).set({ resolvedValue: PRICE_ZERO }).where(ofBatch('101'));
    expect(await equity()).toMatchObject({ redeemable_usd: 0 });
  });

  it('leaves out of it what the venue pays by itself', async () => {
    await openLedger();
    const batchId = await site.bought(['10', '4']);
    const { db } = site.test.runtime;
    await db
      .update(batchOrders)
      .set({ marketId: 'kalshi:market-101', resolvedValue: PRICE_ONE })
      .where(and(eq(batchOrders.batchId, batchId), eq(batchOrders.tokenId, '101')));
    expect(await equity()).toMatchObject({ redeemable_usd: 0 });
  });

  it('has nothing of simulated batches, and cash of what was sold', async () => {
    await openLedger();
    await site.bought(['10', '10'], { simulated: true });
    expect(await equity()).toMatchObject({ equity_usd: 1000, cash_usd: 1000, locked_usd: 0 });
    const batchId = await site.bought(['10', '10']);
    for (const token of ['101', '102']) site.bid(token, ['0.45', '100']);
    await site.call('POST', `/arbitrage/batch/${batchId}/sell-all?simulate=false`);
    await expect.poll(() => equity()).toMatchObject({ equity_usd: 1001, cash_usd: 1001, locked_usd: 0, shares_usd: 0 });
  });

  it('is written down each minute, for each quarter of an hour after a day, and not while a price is missing', async () => {
    await openLedger();
    const { runtime, time } = site.test;
    const now = runtime.clock.now();
    const DAY_MS = 86_400_000;
    const point = (at: number) => ({
      ...{
        at: at as Instant,
        cash: usdFromText('900'),
        locked: 0 as Usd,
        shares: 0 as Usd,
        paidIn: usdFromText('1000'),
      },
    });
    const quarter = Math.floor(now / 900_000) * 900_000 - 2 * DAY_MS;
    await runtime.db.insert(equityPoints).values([quarter, quarter + 60_000, quarter - 7 * DAY_MS].map(point));
    const stop = keepEquity({ runtime, quotes: site.quotes });
    await time.advance(60_000);
    const written = await runtime.db.select().from(equityPoints).orderBy(equityPoints.at);
    expect(written.map(({ at }) => at)).toEqual([quarter, now + 60_000]);
    const { today, drawdown_usd, curve } = await equity();
    expect(today).toEqual({ since: instantToIso(startOfUtcDay(now)), change_usd: 100 });
    expect([drawdown_usd, (curve as unknown[]).length]).toEqual([100, 4]);
    await site.bought(['10', '4']);
    await time.advance(60_000);
    expect(await runtime.db.$count(equityPoints)).toBe(2);
    stop();
  });
});
