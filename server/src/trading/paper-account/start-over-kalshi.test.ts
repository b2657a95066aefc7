/** Money of Kalshi on paper: what comes and goes is in the ledger as its exchange proves it, and a run ends once. */
import { randomUUID } from 'node:crypto';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { usdFromText } from '@dutchbook/units/usd.ts';
import { order } from '@dutchbook/venues/conformance/orders.ts';
import { KalshiWorld } from '@dutchbook/venues/kalshi/kalshi-bench.fixture.ts';
import type { Venue } from '@dutchbook/venues/venue.ts';
import { asc } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestRuntime } from '../../test-runtime.ts';
import { boughtBatch } from '../chain-steps/chain.fixture.ts';
import { compareWithVenue, lastCheck } from '../ledger/compare.ts';
import { postOlderFills } from '../ledger/post-fills.ts';
import { ledgerEntries } from '../ledger/table.ts';
import { lastStartOver } from '../under-way/start-overs.ts';
import { startOvers } from '../under-way/table.ts';
import { movesOnPaper } from '../venue-desk/paper-moves.ts';
import { openPayoutLoop } from '../venue-moves/payout-loop.ts';
import { openStartOverLoop } from './start-over-loop.ts';

const MINUTE_MS = 60_000;
const YES = 0;

let real: KalshiWorld;
let paper: KalshiWorld;
let venue: Venue;
beforeAll(async () => {
  real = await KalshiWorld.start();
  paper = await KalshiWorld.start({ mirrored: real.apiUrl });
  venue = await paper.openVenue();
});
afterAll(async () => {
  await paper?.stop();
  await real?.stop();
});

/** A desk that holds ten of Yes, bought at 45 cents, of which 30 are bid for. */
async function openRun() {
  const test = await openTestRuntime({
    ...{ VENUE: 'paper:kalshi', POLYMARKET_CLOB_URL: paper.url },
    ...{ KALSHI_API_URL: paper.apiUrl, KALSHI_WS_URL: `${paper.url.replace('http', 'ws')}/trade-api/ws/v2` },
  });
  const { runtime, time } = test;
  const { db } = runtime;
  const { trading, catalogue } = venue;
  if (trading === null) return expect.unreachable();
  const { data } = await catalogue.searchMarkets({ skip: 0, limit: 100 });
  const market = data.find(({ tick }) => tick === 10_000);
  const token = market?.outcomes[YES];
  if (market === undefined || token === undefined) return expect.unreachable();
  await real.control.quote(token.tokenId, [['0.3', '100']], [['0.45', '50']]);
  const signed = await trading.signOrder(order(market, token, 'buy 10 at 0.45'));
  expect(await trading.postOrders([signed])).toMatchObject([{ kind: 'accepted', status: 'matched' }]);
  const batchId = await boughtBatch(test, [{ market, outcome: YES, shares: '10', cost: '4.5' }]);
  await postOlderFills(db);
  const moves = movesOnPaper('kalshi', paper.url);
  const publisher = { publish: async () => {}, publishFailed: async () => {}, publishUnhedged: async () => {} };
  const payouts = openPayoutLoop({ runtime, name: 'kalshi', trading, catalogue, publisher });
  const refresh = async () => ({ ...(await trading.cashBalance()), at: instantFromMs(Date.now()) });
  return {
    ...{ db, batchId },
    loop: (pass = runtime.pass) =>
      openStartOverLoop({ runtime: { ...runtime, pass }, accounts: [{ venue: 'kalshi', moves }] }),
    nextMinute: async (follow: () => Promise<void> = async () => {}) => {
      await time.advance(MINUTE_MS);
      await follow();
      await payouts();
      await compareWithVenue({
        venue: 'kalshi',
        runtime,
        account: { refresh },
        trading,
        catalogue,
        chain: null,
        moves,
      });
      await follow();
    },
    ask: async (cash: string) =>
      await db.insert(startOvers).values({
        ...{ id: randomUUID(), status: 'recorded', cash: usdFromText(cash), requestedBy: 'boss@example.com' },
        createdAt: runtime.clock.now(),
      }),
    agrees: async () => {
      const check = await lastCheck(db, 'kalshi');
      const { account } = await paper.control.state();
      return { differences: check?.differences, cash: check?.venueCash, held: account.tokens };
    },
    entries: async (...kinds: readonly string[]) => {
      const rows = await db.select().from(ledgerEntries).orderBy(asc(ledgerEntries.id));
      return rows.flatMap(({ kind, lines, batchId: of }) =>
        kinds.includes(kind) ? [[kind, lines.find(({ unit }) => unit === 'usd')?.amount, of]] : [],
      );
    },
    [Symbol.asyncDispose]: () => test.close(),
  };
}

class Killed extends Error {}

it.each([null, 'run_ended', 'run_marked', 'run_booked'])(
  'ends a run at Kalshi on paper once, and books what was closed and the dollars that left and came; killed at %s too',
  async (point) => {
    await using run = await openRun();
    for (let minutes = 0; minutes < 3; minutes += 1) await run.nextMinute();
    const before = await run.agrees();
    expect(before.differences).toEqual([]);
    await run.ask('250');
    let deaths = 0;
    const dying = run.loop((at) => {
      if (at !== point || deaths > 0) return;
      deaths += 1;
      throw new Killed(at);
    });
    const follow = async () => {
      await dying().catch((error: unknown) => expect(error).toBeInstanceOf(Killed));
    };
    for (let minutes = 0; minutes < 6; minutes += 1) await run.nextMinute(follow);
    expect(deaths).toBe(point === null ? 0 : 1);
    expect(await lastStartOver(run.db)).toMatchObject({ status: 'done', reason: null });
    expect(await run.agrees()).toEqual({ differences: [], cash: 250_000_000, held: {} });
    expect(await run.entries('closed')).toEqual([['closed', 3_000_000, run.batchId]]);
    expect(await run.entries('deposit', 'withdrawal')).toEqual([
      ['withdrawal', -((before.cash ?? 0) + 3_000_000), null],
      ['deposit', 250_000_000, null],
    ]);
  },
);

it('enters what is deposited and withdrawn at Kalshi on paper, once each', async () => {
  await using run = await openRun();
  for (let minutes = 0; minutes < 3; minutes += 1) await run.nextMinute();
  await paper.control.call('transfer', { usd: '100' });
  await paper.control.call('transfer', { usd: '-20.5' });
  for (let minutes = 0; minutes < 3; minutes += 1) await run.nextMinute();
  expect((await run.agrees()).differences).toEqual([]);
  expect(await run.entries('deposit', 'withdrawal')).toEqual([
    ['deposit', 100_000_000, null],
    ['withdrawal', -20_500_000, null],
  ]);
});
