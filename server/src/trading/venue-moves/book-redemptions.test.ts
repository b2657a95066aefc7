/** The venue redeems by itself, and pays for it or not. */
import type { Market } from '@dutchbook/engine/market/market.ts';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { USD_ZERO } from '@dutchbook/units/usd.ts';
import { asc, eq, inArray } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { notifications } from '../../people/notifications/table.ts';
import { boughtBatch, nextBlocks } from '../chain-steps/chain.fixture.ts';
import { keptDesk } from '../chain-steps/chain-desk.fixture.ts';
import { recordRedeem, redeemPlan } from '../chain-steps/record-redeem.ts';
import { decideRedeem, type RedeemDecision } from '../chain-steps/redeem.ts';
import { chainSubmissions } from '../chain-steps/table.ts';
import { compareWithVenue, lastCheck } from '../ledger/compare.ts';
import { postOlderFills } from '../ledger/post-fills.ts';
import { ledgerEntries } from '../ledger/table.ts';
import { bookVenueRedemptions } from './book-redemptions.ts';
import { readVenueMoves } from './moves.ts';

const kept = keptDesk();
const MINUTE_MS = 60_000;

function venue() {
  const { catalogue, trading, chain } = kept.site.venue;
  if (trading === null || chain === null) throw new Error('the venue trades, and has a chain');
  return { catalogue, trading, chain, controls: { venue: 'polymarket' as const } };
}

async function decide(): Promise<RedeemDecision> {
  kept.site.venue.forget();
  return await decideRedeem(kept.test.runtime.db, venue(), null, 'display');
}

/** What the product does by itself within a minute, in the order of its tasks. */
async function nextMinute(untilIdle = kept.desk.untilIdle): Promise<void> {
  const { runtime, time } = kept.test;
  const { trading } = venue();
  await time.advance(MINUTE_MS);
  await nextBlocks(kept.site);
  const refresh = async () => ({ ...(await trading.cashBalance()), at: instantFromMs(Date.now()) });
  await trading.refreshHoldings([]);
  await readVenueMoves(runtime, 'polymarket', venue().chain);
  await bookVenueRedemptions(kept.desk.parts, await decide());
  await untilIdle();
  kept.site.venue.forget();
  await compareWithVenue({ venue: 'polymarket', runtime, account: { refresh }, ...venue() });
}

/** Ten pairs of a market, in the ledger, of which the venue redeems the first outcome so. */
async function redeemed(pays: 'together' | 'apart' | 'never'): Promise<{ market: Market; batchId: string }> {
  const { market, batchId } = await kept.boughtPair();
  await postOlderFills(kept.test.runtime.db);
  for (let minutes = 0; minutes < 3; minutes += 1) await nextMinute();
  expect(await lastCheck(kept.test.runtime.db, 'polymarket')).toMatchObject({ differences: [] });
  await kept.site.control.autoRedeem(true, pays);
  await kept.site.control.resolve(market.id, market.outcomes[0]?.outcome ?? '');
  await kept.site.control.autoRedeem(false);
  return { market, batchId };
}

const salesOf = async (batchId: string) =>
  (await kept.desk.stateOf(batchId)).sales.map(({ status, size, filledCost }) => [status, size, filledCost]);

const differences = async () =>
  ((await lastCheck(kept.test.runtime.db, 'polymarket'))?.differences ?? []).map(({ unit, amount }) => [unit, amount]);

const alarms = async () => {
  const types = inArray(notifications.notificationType, [
    'ledger_difference',
    'submission_differs',
    'submission_failed',
  ]);
  const rows = await kept.test.runtime.db
    .select()
    .from(notifications)
    .where(types)
    .orderBy(asc(notifications.createdAt));
  return rows.map(({ message }) => message);
};

it.each(['together', 'apart'] as const)(
  'books the dollars that came %s with the shares, once, and sends nothing',
  async (pays) => {
    const { batchId } = await redeemed(pays);
    const sent = (await kept.site.control.chain()).transactions.length;
    for (let minutes = 0; minutes < 3; minutes += 1) await nextMinute();
    expect(await salesOf(batchId)).toEqual([['filled', 10_000_000, 10_000_000]]);
    expect((await kept.desk.submissions()).map(({ row }) => [row.byVenue, row.status, row.received])).toEqual([
      [true, 'confirmed', 10_000_000],
    ]);
    expect((await kept.desk.submissions())[0]?.row.hash).toMatch(/^0x/);
    expect((await kept.site.control.chain()).transactions.length).toBe(sent);
    expect([await differences(), await alarms()]).toEqual([[], []]);
    expect((await decide()).tokens.filter(({ value }) => value > 0)).toEqual([]);
  },
);

it('books less where less came, once no more is to be expected, and tells of it', async () => {
  const { batchId } = await redeemed('never');
  await kept.site.control.transfer('9', 'payout');
  for (let minutes = 0; minutes < 3; minutes += 1) await nextMinute();
  expect(await salesOf(batchId)).toEqual([]);
  for (let minutes = 0; minutes < 5; minutes += 1) await nextMinute();
  expect(await salesOf(batchId)).toEqual([['filled', 10_000_000, 9_000_000]]);
  expect(await differences()).toEqual([]);
  expect(await alarms()).toEqual([
    'The redemption of $10.00 is booked by what it moved, which is not what was planned. It brought $9 where $10 was expected.',
  ]);
});

it('books nothing where no dollars came, tells once that the shares are gone, and books dollars that come late', async () => {
  const { market, batchId } = await redeemed('never');
  for (let minutes = 0; minutes < 12; minutes += 1) await nextMinute();
  const [token = ''] = market.outcomes.map(({ tokenId }) => tokenId);
  expect(await salesOf(batchId)).toEqual([]);
  expect(await differences()).toEqual([[token, -10_000_000]]);
  expect(await alarms()).toEqual([
    expect.stringMatching(
      /^The venue has 10\.00 shares of .* less than the ledger: gone, unexplained\. A contract of the venue took 10\.00 by transaction 0x\w+, and no dollars are proven to have come for them\.$/,
    ),
  ]);
  const [won] = (await decide()).tokens.filter(({ value }) => value > 0);
  expect(won?.error).toBe(
    'The chain has none of these shares: they are gone, and are booked by the dollars that are proven to have come for them.',
  );
  // Redemptions of another account are not taken for the venue's.
  await kept.site.control.transfer('10', 'unknown');
  for (let minutes = 0; minutes < 2; minutes += 1) await nextMinute();
  expect(await salesOf(batchId)).toEqual([]);
  await kept.site.control.transfer('10', 'payout');
  for (let minutes = 0; minutes < 2; minutes += 1) await nextMinute();
  expect(await salesOf(batchId)).toEqual([['filled', 10_000_000, 10_000_000]]);
  expect(await differences()).toEqual([]);
});

it('neither books it nor tells of it while a submission of ours may turn out to be what the venue did', async () => {
  const { batchId } = await redeemed('together');
  await kept.loop.stop();
  const { db, clock, random } = kept.test.runtime;
  await db.insert(chainSubmissions).values({
    ...{ id: random.uuid(), venue: 'polymarket', requestId: random.uuid(), purpose: 'approval', status: 'unknown' },
    ...{ automatic: false, requestedBy: null, batchIds: [], expected: USD_ZERO, createdAt: clock.now(), payload: '{}' },
  });
  const unwatched = async () => {};
  for (let minutes = 0; minutes < 8; minutes += 1) await nextMinute(unwatched);
  expect([await salesOf(batchId), await alarms()]).toEqual([[], []]);
  await db.update(chainSubmissions).set({ status: 'failed', endedAt: clock.now(), bookedAt: clock.now() });
  await nextMinute(unwatched);
  expect(await salesOf(batchId)).toEqual([['processing', 10_000_000, 0]]);
  expect(await alarms()).toEqual([]);
});

it('books what the venue has redeemed of shares of which more came afterwards, whose redemption waits for it', async () => {
  const { market, batchId } = await redeemed('together');
  await kept.site.control.split(market.id, '4');
  await kept.test.time.advance(1000);
  const later = await boughtBatch(kept.test, [{ market, outcome: 0, shares: '4', cost: '2' }]);
  await nextBlocks(kept.site);
  await venue().trading.refreshHoldings([]);
  expect(redeemPlan(await decide(), venue().chain.callsMax)).toEqual([]);
  for (let minutes = 0; minutes < 2; minutes += 1) await nextMinute();
  expect(await salesOf(batchId)).toEqual([['filled', 10_000_000, 10_000_000]]);
  expect(await salesOf(later)).toEqual([]);
  expect(redeemPlan(await decide(), venue().chain.callsMax)).toMatchObject([[{ shares: 4_000_000 }]]);
});

it('books what the venue has redeemed before these were first read', async () => {
  const { market, batchId } = await kept.boughtPair();
  await kept.site.control.autoRedeem(true);
  await kept.site.control.resolve(market.id, market.outcomes[0]?.outcome ?? '');
  await kept.site.control.autoRedeem(false);
  await nextBlocks(kept.site);
  await nextMinute();
  expect(await salesOf(batchId)).toEqual([['filled', 10_000_000, 10_000_000]]);
});

it('takes the transaction of a redemption of ours for none of the venue', async () => {
  const { market } = await kept.boughtPair();
  await nextMinute();
  await kept.site.control.resolve(market.id, market.outcomes[0]?.outcome ?? '');

  const requested = { requestId: kept.test.runtime.random.uuid(), automatic: false, requestedBy: null };
  const { callsMax } = venue().chain;
  expect(await recordRedeem(kept.desk.parts, await decide(), { callsMax }, requested, async () => {})).toBeNull();
  await kept.desk.untilIdle();
  for (let minutes = 0; minutes < 2; minutes += 1) await nextMinute();
  expect((await kept.desk.submissions()).map(({ row }) => [row.byVenue, row.received])).toEqual([[false, 10_000_000]]);
});

it('enters dollars of the venue that no shares explain as unknown, once', async () => {
  for (let minutes = 0; minutes < 2; minutes += 1) await nextMinute();
  await kept.site.control.transfer('7', 'payout');
  const unknown = eq(ledgerEntries.kind, 'unknown');
  for (let minutes = 0; minutes < 4; minutes += 1) await nextMinute();
  expect(await kept.test.runtime.db.$count(ledgerEntries, unknown)).toBe(0);
  for (let minutes = 0; minutes < 6; minutes += 1) await nextMinute();
  expect((await kept.test.runtime.db.select().from(ledgerEntries).where(unknown)).map(({ lines }) => lines)).toEqual([
    [
      { account: 'cash', unit: 'usd', amount: 7_000_000 },
      { account: 'unnamed', unit: 'usd', amount: -7_000_000 },
    ],
  ]);
  expect([await differences(), await alarms()]).toEqual([[], []]);
});
