import { linesFromOutside } from '@dutchbook/engine/ledger/entries-from-outside.ts';
import { marketOf } from '@dutchbook/engine/opportunity/quotes.fixture.ts';
import type { VenueName } from '@dutchbook/units/ids.ts';
import { cashAt } from '@dutchbook/units/ledger-kinds.ts';
import { SHARES_ZERO, type Shares, sharesFromText } from '@dutchbook/units/shares.ts';
import { addUsd, type Usd, usdFromText } from '@dutchbook/units/usd.ts';
import { VenueUnavailable } from '@dutchbook/venues/venue.ts';
import type { CashTransfer } from '@dutchbook/venues/venue-chain.ts';
import { eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { notifications } from '../../people/notifications/table.ts';
import { onlyEngine } from '../../platform/engines/engines.ts';
import { openTestRuntime, type TestRuntime } from '../../test-runtime.ts';
import { startBatchRunner } from '../execution/runner/batch-runner.ts';
import { DEFAULT_SETTINGS, pass, recordedBatch, until } from '../execution/runner/runner.fixture.ts';
import { scriptedTrading } from '../execution/runner/scripted-trading.fixture.ts';
import { standingCategories } from '../fee-stops/store.ts';
import { scriptedControls } from '../trading-controls/controls.fixture.ts';
import { desksOf, type VenueDesk } from '../venue-desk/desks.ts';
import { readBalances } from './balances.ts';
import { lastCheck } from './compare.ts';
import { startLedgerJob } from './ledger-job.ts';
import { postGas } from './post-gas.ts';
import { postSurplus } from './post-surplus.ts';
import { ledgerEntries } from './table.ts';

const MINUTE_MS = 60_000;
const FEE = usdFromText('0.03');
const VENUES = ['polymarket', 'kalshi'] as const;

/** An account that trades at a scripted venue: its cash is what it began with, what its fills took, and what else came or went. */
function openWallet({ runtime }: TestRuntime, name: VenueName, begins: string) {
  const scripted = scriptedTrading(runtime);
  const { trading, openUserStream } = scripted.venue;
  if (trading === null) return expect.unreachable();
  const other = { dollars: usdFromText(begins), shares: new Map<string, number>(), transfers: [] as CashTransfer[] };
  const fills = () => [...scripted.orders.values()].flatMap((order) => order.fills);
  const cash = () => fills().reduce((left, { cost, fee }) => (left - cost - fee) as Usd, other.dollars);
  const shares = (tokenId: string) =>
    fills()
      .filter((fill) => fill.tokenId === tokenId)
      .reduce((sum, { size }) => (sum + size) as Shares, (other.shares.get(tokenId) ?? SHARES_ZERO) as Shares);
  const tokens = () => [...new Set(fills().map(({ tokenId }) => tokenId))];
  const answer = <Answer>(answered: Answer): Answer => {
    if (!scripted.answers) throw new VenueUnavailable('down');
    return answered;
  };
  scripted.onPost((order) => {
    const outcome = scripted.take(order);
    const held = scripted.orders.get(order.orderHash);
    if (held !== undefined) held.fills = held.fills.map((fill) => ({ ...fill, fee: FEE }));
    return outcome;
  });
  const reading = () => ({ cash: cash(), allowances: null, at: runtime.clock.now() });
  const desk: VenueDesk = {
    ...{ name, openUserStream, soundness: () => ({ clockSkewMs: null }), controls: scriptedControls(), moves: null },
    trading: {
      ...trading,
      cashBalance: async () => answer({ cash: cash(), allowances: null }),
      holding: async (tokenId) => answer({ shares: shares(tokenId), allowances: null }),
      refreshHoldings: async () => answer(undefined),
      positions: async () =>
        answer(
          tokens().map((tokenId) => ({
            ...{ marketId: `market-${tokenId}`, outcome: 'Yes', tokenId, shares: shares(tokenId) },
            ...{ redeemable: false, resolvedValue: null },
          })),
        ),
    },
    chain: {
      balances: async () => answer({ block: 1, cash: cash(), shares: new Map() }),
      transfers: async (after: number) =>
        answer({ through: after + 1, transfers: other.transfers.splice(0), taken: [] }),
    } as unknown as VenueDesk['chain'],
    account: { reading, refresh: async () => (scripted.answers ? reading() : null), stop: () => {} },
  };
  return { name, desk, scripted, other, cash };
}

async function openTwo(test: TestRuntime) {
  const { runtime } = test;
  const wallets = { polymarket: openWallet(test, 'polymarket', '100'), kalshi: openWallet(test, 'kalshi', '50') };
  const desks = desksOf(Object.values(wallets).map(({ desk }) => desk));
  const { partitions } = onlyEngine();
  const runner = await startBatchRunner({
    ...{ runtime, desks, partitions, catalogue: wallets.polymarket.scripted.venue.catalogue },
    quotes: { current: () => [], fresh: async () => [] },
    stream: { publish: () => {}, watched: () => false },
    found: () => ({ placesFound: false }),
    soundness: () => ({ corruptSettings: [] }),
    settings: { current: () => ({ ...DEFAULT_SETTINGS, AUTO_PLACE_ORDER_ENABLED: false }) },
  });
  const catalogue = {
    marketsById: async (ids: readonly string[]) =>
      new Map(ids.map((id) => [id, marketOf(id, { feeCategory: 'crypto_fees' })])),
    eventsById: async () => [],
  };
  let stopJob = async () => {};
  return {
    wallets,
    /** Ends the one before it. */
    startJob: async () => {
      await stopJob();
      stopJob = startLedgerJob({ runtime, partitions, catalogue, desks: desks.all });
    },
    stop: async () => {
      await stopJob();
      await runner.stop();
    },
    /** Ten shares at 0.40. */
    buy: async (tokenId: string) => {
      const id = await recordedBatch(test, {}, [tokenId]);
      runner.wake(id);
      await until(test, id, ({ fills }) => fills.length === 1);
      return async () => {
        for (const { scripted } of Object.values(wallets))
          for (const hash of scripted.orders.keys()) scripted.settle(hash, 'confirmed');
        await until(test, id, ({ fills }) => fills[0]?.settlement === 'confirmed');
      };
    },
    cashByLedger: async () => {
      const balances = await readBalances(runtime.db);
      return VENUES.map(
        (name) => balances.find(({ account, unit }) => account === cashAt(name) && unit === 'usd')?.amount,
      );
    },
    differences: async () =>
      await Promise.all(
        VENUES.map(async (name) =>
          (await lastCheck(runtime.db, name))?.differences.map(({ unit, amount }) => [unit, amount]),
        ),
      ),
    notified: async (type: 'ledger_difference' | 'unknown_dollars') => {
      const rows = await runtime.db.select().from(notifications).where(eq(notifications.notificationType, type));
      return rows.map(({ message }) => message);
    },
  };
}

it('the ledger has the cash of each of two venues as that venue has it, and what differs at one is of that one alone', async () => {
  await using test = await openTestRuntime({ VENUE: 'simulated' });
  const { runtime } = test;
  const desk = await openTwo(test);
  const { wallets, cashByLedger, differences, notified } = desk;
  const agrees = async () => {
    await pass(test, 2 * MINUTE_MS);
    expect(await differences()).toEqual([[], []]);
    expect(await cashByLedger()).toEqual(VENUES.map((name) => wallets[name].cash()));
  };

  const settle = await desk.buy('kalshi:101');
  await desk.startJob();
  await pass(test, MINUTE_MS);
  expect(await differences()).toEqual([[], undefined]);
  expect(await readBalances(runtime.db)).toContainEqual({
    ...{ account: 'receivable@kalshi', unit: 'usd', amount: -usdFromText('4.03') },
  });
  await settle();
  await agrees();

  for (const token of ['101', 'kalshi:102']) await (await desk.buy(token))();
  await agrees();
  expect(VENUES.map((name) => wallets[name].cash())).toEqual([usdFromText('95.97'), usdFromText('41.94')]);

  const moved = { polymarket: usdFromText('25'), kalshi: usdFromText('-7') };
  for (const name of VENUES) {
    const { other } = wallets[name];
    const amount = moved[name];
    other.dollars = (other.dollars + amount) as Usd;
    other.transfers.push({ hash: `0x${name}`, block: 2, amount, source: 'deposit', party: '0x1', isFinal: true });
  }
  await agrees();

  for (const [name, token] of [
    ['polymarket', '101'],
    ['kalshi', 'kalshi:102'],
  ] as const) {
    const { other } = wallets[name];
    const id = runtime.random.uuid();
    other.dollars = (other.dollars + usdFromText('10')) as Usd;
    other.shares.set(token, -sharesFromText('10'));
    const surplus = { dollars: usdFromText('10'), shares: new Map([[token, -sharesFromText('10')]]) };
    await postSurplus(runtime.db, { id, venue: name }, surplus, runtime.clock.now());
    await postGas(runtime.db, { id, venue: name }, { wei: '1000000000000', symbol: 'POL' }, runtime.clock.now());
  }
  await agrees();
  expect(await notified('ledger_difference')).toEqual([]);

  wallets.polymarket.scripted.answers = false;
  wallets.kalshi.other.dollars = (wallets.kalshi.other.dollars - usdFromText('1')) as Usd;
  const before = await lastCheck(runtime.db, 'polymarket');
  await pass(test, 3 * MINUTE_MS);
  expect(await lastCheck(runtime.db, 'polymarket')).toEqual(before);
  expect(await differences()).toEqual([[], [['usd', -usdFromText('1')]]]);
  expect(await notified('ledger_difference')).toEqual(['Kalshi has $1.00 less than the ledger: unexplained $1.00.']);
  wallets.polymarket.scripted.answers = true;
  await pass(test, MINUTE_MS);
  expect(await differences()).toEqual([[], [['usd', -usdFromText('1')]]]);
  expect(await standingCategories(runtime.db)).toEqual(new Set());

  const lines = linesFromOutside([{ unit: 'usd', amount: -usdFromText('1') }], 'kalshi');
  await runtime.db.insert(ledgerEntries).values({ at: runtime.clock.now(), kind: 'correction', lines });
  await agrees();

  // The trade takes a fee beyond what is booked.
  const bought = await desk.buy('kalshi:103');
  wallets.kalshi.other.dollars = (wallets.kalshi.other.dollars - usdFromText('0.08')) as Usd;
  await bought();
  await pass(test, 20_000);
  expect(await standingCategories(runtime.db)).toEqual(new Set(['kalshi:crypto_fees']));
  await desk.stop();
});

it('a difference stands at two comparisons a minute apart, also where another engine begins in between', async () => {
  await using test = await openTestRuntime({ VENUE: 'simulated' });
  const desk = await openTwo(test);
  const { other } = desk.wallets.kalshi;
  await desk.startJob();
  await pass(test, 2 * MINUTE_MS);
  other.dollars = addUsd(other.dollars, usdFromText('5'));
  await pass(test, MINUTE_MS);
  await desk.startJob();
  await pass(test, 5_000);
  expect(await desk.notified('ledger_difference')).toEqual([]);
  await pass(test, MINUTE_MS);
  expect(await desk.notified('ledger_difference')).toHaveLength(1);
  await desk.stop();
});
