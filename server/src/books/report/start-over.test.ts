/** A run of paper trading ends once, whatever dies meanwhile, and every figure is of the run that is asked for. */
import { randomUUID } from 'node:crypto';

import { instantFromMs } from '@dutchbook/units/instant.ts';
import { type Usd, usdFromText } from '@dutchbook/units/usd.ts';
import { ExchangeControl } from '@dutchbook/venues/conformance/control.ts';
import { type ExchangeProcess, startExchangeProcess } from '@dutchbook/venues/conformance/exchange-process.ts';
import { asc, eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Quotes } from '../../market/markets/live-quotes.ts';
import { notifications } from '../../people/notifications/table.ts';
import { onlyEngine } from '../../platform/engines/engines.ts';
import { START_OVER_POINTS } from '../../platform/runtime/crash-point.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import { openTestRuntime } from '../../test-runtime.ts';
import {
  boughtBatch,
  type ChainSite,
  nextBlocks,
  openChainDesk,
  openChainSite,
} from '../../trading/chain-steps/chain.fixture.ts';
import { readBalances } from '../../trading/ledger/balances.ts';
import { compareWithVenue, lastCheck } from '../../trading/ledger/compare.ts';
import { postOlderFills } from '../../trading/ledger/post-fills.ts';
import { ledgerEntries } from '../../trading/ledger/table.ts';
import { openStartOverLoop } from '../../trading/paper-account/start-over-loop.ts';
import { lastStartOver } from '../../trading/under-way/start-overs.ts';
import { startOvers } from '../../trading/under-way/table.ts';
import { readWorth } from '../equity/worth.ts';
import { keepResults } from './keep-results.ts';
import { inRun } from './runs.ts';
import { readSummary, realisedOn } from './summary.ts';

const MINUTE_MS = 60_000;

/** What is mirrored, and the exchange that mirrors it. */
let real: ExchangeProcess;
let site: ChainSite;
beforeAll(async () => {
  real = await startExchangeProcess({ isPaused: true });
  const upstream = [`${real.url}/gamma`, real.url, `${real.url.replace('http', 'ws')}/ws`];
  site = await openChainSite(3, { PAPER_UPSTREAM: upstream.join(), PAPER_FILLS: 'touch' });
});
afterAll(async () => {
  await site?.venue.close();
  await Promise.all([site?.exchange, real].map((each) => each?.stop()));
});

/** No market is quoted. */
const quotes: Quotes = {
  current: (positions) =>
    positions.map((position) => ({
      ...{ ...position, tokenId: null, market: undefined, book: undefined, midpoint: null, lastTrade: null },
      ...{ feed: 'none' as const, bookAgeMs: null },
    })),
  fresh: async (positions) => quotes.current(positions),
};

/** A run that holds ten pairs, bought for $9, of which 30 cents are bid for the first and 55 for the second; and 5 shares beside batches. */
async function openRun(nth: number) {
  const test = await openTestRuntime({ VENUE: 'paper', POLYMARKET_CLOB_URL: site.exchange.url });
  const { runtime, time } = test;
  const { db } = runtime;
  const desk = openChainDesk(test, site);
  const loop = desk.keep();
  const { trading, chain, catalogue } = site.venue;
  if (trading === null || chain === null) throw new Error('the venue trades, and has a chain');
  const plain = site.markets.filter(({ event }) => event?.negRisk !== true);
  const [market, other] = [plain[2 * nth], plain[2 * nth + 1]];
  if (market === undefined || other === undefined) throw new Error('the exchange has more markets');
  const books = new ExchangeControl(real.url);
  for (const each of [market, other])
    await books.quote(each.outcomes[0]?.tokenId ?? '', [['0.3', '100']], [['0.45', '50']]);
  await site.control.split(market.id, '10');
  await site.control.split(other.id, '5');
  const batchId = await boughtBatch(test, [
    { market, outcome: 0, shares: '10', cost: '4' },
    { market, outcome: 1, shares: '10', cost: '5' },
  ]);
  await postOlderFills(db);
  const refresh = async () => ({ ...(await trading.cashBalance()), at: instantFromMs(Date.now()) });
  const nextMinute = async (follow: () => Promise<void> = async () => {}) => {
    await time.advance(MINUTE_MS);
    await nextBlocks(site);
    await trading.refreshHoldings([]);
    await follow();
    await desk.untilIdle();
    site.venue.forget();
    await compareWithVenue({ venue: 'polymarket', runtime, account: { refresh }, trading, chain, catalogue });
    await follow();
  };
  for (let minutes = 0; minutes < 3; minutes += 1) await nextMinute();
  const keep = async () => {
    while (await keepResults({ runtime, quotes, partitions: onlyEngine().partitions }));
  };
  const at = { now: runtime.clock.now(), hurdle: 0 as never };
  return {
    ...{ test, batchId, nextMinute },
    loop: (changed: Partial<Runtime> = {}) =>
      openStartOverLoop({ runtime: { ...runtime, ...changed }, accounts: [{ venue: 'polymarket', moves: chain }] }),
    ask: async (cash: string) =>
      await db.insert(startOvers).values({
        ...{ id: randomUUID(), status: 'recorded', cash: usdFromText(cash), requestedBy: 'boss@example.com' },
        createdAt: runtime.clock.now(),
      }),
    row: () => lastStartOver(db),
    worth: async () => {
      const { cash, locked, shares, paidIn, beganAt } = await readWorth({ runtime, quotes });
      return { earned: (cash + locked + shares - paidIn) as Usd, cash, held: locked + shares, paidIn, beganAt };
    },
    report: async (run?: number) => {
      await keep();
      const { batches, paid_usd } = await readSummary(db, await inRun(db, { run }), at);
      return [batches, paid_usd];
    },
    today: () => realisedOn(db, new Date(runtime.clock.now()).toISOString().slice(0, 10)),
    agrees: async () => {
      const check = await lastCheck(db, 'polymarket');
      const held = Object.values((await site.control.state()).account.tokens).filter((shares) => shares !== '0');
      return { differences: check?.differences, cash: check?.venueCash, held };
    },
    closed: async () =>
      await db.select().from(ledgerEntries).where(eq(ledgerEntries.kind, 'closed')).orderBy(asc(ledgerEntries.id)),
    transfers: async () => {
      const rows = await db.select().from(ledgerEntries).orderBy(asc(ledgerEntries.id));
      return rows.flatMap(({ kind, lines }) =>
        kind === 'deposit' || kind === 'withdrawal' ? [[kind, lines[0]?.amount]] : [],
      );
    },
    alarms: () => db.$count(notifications, eq(notifications.notificationType, 'ledger_difference')),
    [Symbol.asyncDispose]: async () => {
      await loop.stop();
      await test.close();
    },
  };
}

it('closes all at the bid, takes the cash out and begins with the new cash; figures are of the run, and the old one stays in the report', async () => {
  await using run = await openRun(0);
  const { db, clock } = run.test.runtime;
  const before = await run.worth();
  expect(await run.agrees()).toMatchObject({ differences: [], cash: before.cash });
  expect(await run.report()).toEqual([1, 0]);
  await run.ask('500');
  const follow = run.loop();
  for (let minutes = 0; minutes < 4; minutes += 1) await run.nextMinute(follow);
  expect(await run.row()).toMatchObject({ status: 'done', reason: null });
  // $3 and $5.50 of the batch, $1.50 and $2.75 of what was in none.
  const closed = (await run.closed()).map(({ batchId, lines }) => [
    batchId,
    lines.find(({ unit }) => unit === 'usd')?.amount,
  ]);
  expect(closed.map(([, usd]) => usd).toSorted()).toEqual([1_500_000, 2_750_000, 3_000_000, 5_500_000]);
  expect(closed.filter(([batchId]) => batchId === run.batchId)).toHaveLength(2);
  expect(await run.transfers()).toEqual([
    ['withdrawal', -(before.cash + 12_750_000)],
    ['deposit', 500_000_000],
  ]);
  expect(await run.agrees()).toEqual({ differences: [], cash: 500_000_000, held: [] });
  expect(await run.alarms()).toBe(0);
  const now = await run.worth();
  expect(now).toMatchObject({
    cash: 500_000_000,
    held: 0,
    paidIn: 500_000_000,
    earned: 0,
    beganAt: (await run.row())?.endedAt,
  });
  expect([await run.report(), await run.report(2), await run.report(7)]).toEqual([
    [0, 0],
    [0, 0],
    [0, 0],
  ]);
  expect([await run.report(1), await run.today()]).toEqual([[1, -500_000], 0]);
  expect((await readBalances(db)).filter(({ account }) => account === 'shares' || account === 'receivable')).toEqual(
    [],
  );
  expect(clock.now()).toBeGreaterThan(now.beganAt ?? 0);
});

class Killed extends Error {}

it.each(START_OVER_POINTS.map((point, place) => ({ point, nth: place + 1 })))(
  'an engine that dies when it has passed $point leaves the old run or the new one, and nothing is closed or moved twice',
  async ({ point, nth }) => {
    await using run = await openRun(nth);
    const before = await run.worth();
    await run.ask('250');
    let deaths = 0;
    const pass = (at: string) => {
      if (at !== point || deaths > 0) return;
      deaths += 1;
      throw new Killed(at);
    };
    const dying = run.loop({ pass });
    for (let minutes = 0; minutes < 6 && deaths === 0; minutes += 1)
      await run.nextMinute(async () => {
        if (deaths > 0) return;
        await dying().catch((error: unknown) => expect(error).toBeInstanceOf(Killed));
      });
    expect(deaths).toBe(1);
    const isDone = (await run.row())?.status === 'done';
    expect((await run.worth()).beganAt === before.beganAt).toBe(!isDone);
    const follow = run.loop();
    for (let minutes = 0; minutes < 4; minutes += 1) await run.nextMinute(follow);
    expect(await run.row()).toMatchObject({ status: 'done' });
    expect(await run.closed()).toHaveLength(4);
    expect(await run.transfers()).toEqual([
      ['withdrawal', -(before.cash + 12_750_000)],
      ['deposit', 250_000_000],
    ]);
    expect(await run.agrees()).toEqual({ differences: [], cash: 250_000_000, held: [] });
    expect(await run.worth()).toMatchObject({ earned: 0, paidIn: 250_000_000 });
  },
);
