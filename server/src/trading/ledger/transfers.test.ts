import { instantFromMs } from '@dutchbook/units/instant.ts';
import { priceFromText } from '@dutchbook/units/price.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import { asc, eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { notifications } from '../../people/notifications/table.ts';
import { openTestRuntime, type TestRuntime } from '../../test-runtime.ts';
import { type ChainSite, nextBlocks, openChainSite } from '../chain-steps/chain.fixture.ts';
import { readBalances } from './balances.ts';
import { compareWithVenue, lastCheck } from './compare.ts';
import { sealEntries } from './seal.ts';
import { ledgerEntries } from './table.ts';
import { verifyBlocks } from './verify.ts';

const MINUTE_MS = 60_000;

let site: ChainSite;
beforeAll(async () => {
  site = await openChainSite();
});
afterAll(async () => {
  await site.venue.close();
  await site.exchange.stop();
});

/** The ledger of an account whose venue is the simulated exchange, and whose chain is behind it. */
async function openLedger(test: TestRuntime) {
  const { runtime } = test;
  const { trading, catalogue, chain } = site.venue;
  if (trading === null) throw new Error('the venue has an account');
  const refresh = async () => ({ ...(await trading.cashBalance()), at: instantFromMs(Date.now()) });
  const compare = () =>
    compareWithVenue({ venue: 'polymarket', runtime, account: { refresh }, trading, catalogue, chain });
  const nextMinute = async () => {
    await test.time.advance(MINUTE_MS);
    return await compare();
  };
  await trading.refreshHoldings([]);
  await compare();
  return {
    compare,
    nextMinute,
    /** Since the ledger was opened. */
    entries: async () => {
      const rows = await runtime.db.select().from(ledgerEntries).orderBy(asc(ledgerEntries.id));
      return rows
        .filter(({ kind }) => kind !== 'opening')
        .map(({ kind, lines, transactionHash }) => [kind, lines[0]?.account, lines[0]?.amount, transactionHash]);
    },
    differences: async () =>
      (await lastCheck(runtime.db, 'polymarket'))?.differences.map(({ unit, amount }) => [unit, amount]),
    reported: async () =>
      await runtime.db.$count(notifications, eq(notifications.notificationType, 'ledger_difference')),
  };
}

it('enters a deposit and a withdrawal automatically, once, with the transaction, and without a notification', async () => {
  await using test = await openTestRuntime();
  const ledger = await openLedger(test);
  const deposit = await site.control.transfer('25.5');
  await nextBlocks(site, 1);
  // It is seen, and may still be undone.
  await ledger.nextMinute();
  await ledger.nextMinute();
  expect([await ledger.entries(), await ledger.differences()]).toEqual([[], []]);
  await nextBlocks(site);
  await ledger.nextMinute();
  const ofDeposit = ['deposit', 'cash', 25_500_000, deposit];
  expect([await ledger.entries(), await ledger.differences()]).toEqual([[ofDeposit], []]);
  const withdrawal = await site.control.transfer('-3');
  await nextBlocks(site);
  await test.time.advance(MINUTE_MS);
  // By two engines, each of which believes that it is the one to do so.
  await Promise.all([ledger.compare(), ledger.compare()]);
  await ledger.nextMinute();
  expect(await ledger.entries()).toEqual([ofDeposit, ['withdrawal', 'cash', -3_000_000, withdrawal]]);
  expect([await ledger.differences(), await ledger.reported()]).toEqual([[], 0]);
  await sealEntries(test.runtime);
  expect(await verifyBlocks(test.runtime.db)).toMatchObject({ brokenAt: null, entries: 3 });
});

it('enters what comes by its sender, notifies of what is unknown, and equals what the venue has', async () => {
  await using test = await openTestRuntime();
  const ledger = await openLedger(test);
  const sent = [
    ['1.000001', 'reward'],
    ['2', 'rebate'],
    ['3', 'deposit'],
    ['4', 'unknown'],
  ] as const;
  for (const [usd, from] of sent) await site.control.transfer(usd, from);
  await nextBlocks(site);
  for (let minutes = 0; minutes < 3; minutes += 1) await ledger.nextMinute();
  expect((await ledger.entries()).map(([kind, , amount]) => [kind, amount]).toSorted()).toEqual([
    ['deposit', 3_000_000],
    ['rebate', 2_000_000],
    ['reward', 1_000_001],
    ['unknown', 4_000_000],
  ]);
  const moved = (await readBalances(test.runtime.db)).filter(({ account }) => account !== 'outside');
  expect(moved).toMatchObject([
    { account: 'cash' },
    { account: 'income', amount: -3_000_001 },
    { account: 'unnamed', amount: -4_000_000 },
  ]);
  expect([await ledger.differences(), await ledger.reported()]).toEqual([[], 0]);
  const unknown = await test.runtime.db
    .select()
    .from(notifications)
    .where(eq(notifications.notificationType, 'unknown_dollars'));
  expect(unknown.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^\$4\.00 came to the account from 0x57a4\w{36}, which is neither a deposit nor known/),
  ]);
});

it('tells of cash that no transfer explains', async () => {
  await using test = await openTestRuntime();
  const ledger = await openLedger(test);
  await site.control.transfer('7');
  await nextBlocks(site);
  await site.control.split(site.markets[0]?.id ?? '', '10');
  for (let minutes = 0; minutes < 2; minutes += 1) await ledger.nextMinute();
  expect(await ledger.differences()).toContainEqual(['usd', -10_000_000]);
  expect([(await ledger.entries()).map(([kind]) => kind), await ledger.reported()]).toEqual([['deposit'], 1]);
});

it('does not miss the dollars that an order from elsewhere has reserved', async () => {
  await using test = await openTestRuntime();
  const ledger = await openLedger(test);
  const { trading } = site.venue;
  const [market] = site.markets;
  if (trading === null || market === undefined) throw new Error('the venue has an account and a market');
  const resting = {
    market,
    tokenId: market.outcomes[0]?.tokenId ?? '',
    side: 'buy',
    size: sharesFromText('10'),
    remainder: 'rest',
  } as const;
  const signed = await trading.signOrder({ ...resting, price: priceFromText('0.01') });
  await trading.postOrders([signed]);
  for (let minutes = 0; minutes < 2; minutes += 1) await ledger.nextMinute();
  expect([await ledger.differences(), await ledger.reported()]).toEqual([[], 0]);
  await trading.cancelOrders([signed.orderHash]);
  await ledger.nextMinute();
  expect(await ledger.differences()).toEqual([]);
});

it('enters what came while the chain did not answer once it does again', async () => {
  await using test = await openTestRuntime();
  const ledger = await openLedger(test);
  const deposit = await site.control.transfer('4');
  await nextBlocks(site);
  await site.venue.trading?.refreshHoldings([]);
  await site.control.fault('rpc_5xx', { times: 1000 });
  await ledger.nextMinute();
  expect([await ledger.entries(), await ledger.differences()]).toEqual([[], [['usd', 4_000_000]]]);
  await site.control.clearFaults();
  await ledger.nextMinute();
  expect(await ledger.entries()).toEqual([['deposit', 'cash', 4_000_000, deposit]]);
  expect([await ledger.differences(), await ledger.reported()]).toEqual([[], 0]);
});
