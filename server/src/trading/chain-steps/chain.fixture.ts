/** Batches whose shares are there on the chain of a simulated exchange, with its loop, for tests. */

import type { Market } from '@dutchbook/engine/market/market.ts';
import { feeOf } from '@dutchbook/engine/opportunity/quotes.fixture.ts';
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { priceFromText } from '@dutchbook/units/price.ts';
import { SHARES_ZERO, type Shares, sharesFromText } from '@dutchbook/units/shares.ts';
import { pricePerShare, USD_ZERO, type Usd, usdFromText } from '@dutchbook/units/usd.ts';
import { ExchangeControl } from '@dutchbook/venues/conformance/control.ts';
import { type ExchangeProcess, startExchangeProcess } from '@dutchbook/venues/conformance/exchange-process.ts';
import { POLYMARKET_DEFAULTS } from '@dutchbook/venues/polymarket/config.ts';
import { openPolymarket } from '@dutchbook/venues/polymarket/polymarket.ts';
import type { Venue } from '@dutchbook/venues/venue.ts';
import type { VenueChain } from '@dutchbook/venues/venue-chain.ts';
import type { Quotes } from '../../market/markets/live-quotes.ts';
import { onlyEngine } from '../../platform/engines/engines.ts';
import type { Partitions } from '../../platform/engines/partitions.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import type { TestRuntime } from '../../test-runtime.ts';
import { openBatchPublisher } from '../execution/runner/publish-batch.ts';
import { DEFAULT_SETTINGS } from '../execution/runner/runner.fixture.ts';
import { type BatchState, loadBatch } from '../orders/batch-state.ts';
import { attempts, batches, batchOrders, fills } from '../orders/table.ts';
import { type ScriptedControls, scriptedControls } from '../trading-controls/controls.fixture.ts';
import { type CashNowParts, decideCashNow, recordCashNow } from './cash-now.ts';
import { type ChainLoop, startChainLoop } from './chain-loop.ts';
import type { LotScope } from './free-lots.ts';
import { listSubmissions, type Submission, submissionsOfRequest, unbookedSubmissions } from './store.ts';

const TEST_KEY = `0x${'42'.repeat(32)}`;
const WALLET = `0x${'d4'.repeat(20)}`;
/** So long that none comes by itself while a test runs. */
const BLOCK_MS = 60_000;
/** As many as put a transaction beyond a reorganisation. */
const FINAL_AFTER_BLOCKS = 7;

export type ChainSite = {
  exchange: ExchangeProcess;
  control: ExchangeControl;
  venue: Venue;
  markets: Market[];
  /** What the venue goes by: the machine's own, so that the exchange takes its signatures, and what a test adds to it. */
  clock: { now: () => Instant; passedMs: () => number };
};

/** An exchange, started with `environment`, with a venue that trades for a deposit wallet, a Safe, a proxy wallet, or a plain key. */
export async function openChainSite(
  signatureType: 0 | 1 | 2 | 3 = 3,
  environment: Record<string, string> = {},
): Promise<ChainSite> {
  const exchange = await startExchangeProcess({
    // What is mirrored is read from the start.
    ...{ isPaused: environment.PAPER_UPSTREAM === undefined, environment },
  });
  const control = new ExchangeControl(exchange.url);
  // What a test lets pass is passed for the venue alone.
  await control.takeAnyTime();
  const clock = { passedMs: () => 0, now: () => instantFromMs(Date.now() + clock.passedMs()) };
  const venue = await openPolymarket(
    {
      ...POLYMARKET_DEFAULTS,
      clobUrl: exchange.url,
      gammaUrl: `${exchange.url}/gamma`,
      dataUrl: `${exchange.url}/data-api`,
      wsUrl: `${exchange.url.replace('http', 'ws')}/ws`,
      privateKey: TEST_KEY,
      requestTimeoutMs: 10_000,
      chain: {
        ...POLYMARKET_DEFAULTS.chain,
        directional: true,
        rpcUrls: [`${exchange.url}/_chain/rpc`, `${exchange.url}/_chain/rpc2`],
        relayerUrl: `${exchange.url}/relayer`,
        relayerKey: 'key-of-the-test-at-the-relayer',
      },
      ...(signatureType === 0 ? {} : { signatureType, funder: WALLET }),
    },
    { now: () => clock.now(), random: Math.random, log: { info: () => {}, warn: () => {} } },
  );
  // The account whose key is the first is who splits.
  await venue.trading?.cashBalance();
  if (signatureType !== 0) await control.setChain({ wallet: { address: WALLET } });
  await control.setChain({ block_ms: 50 });
  await control.setChain({ block_ms: BLOCK_MS });
  const markets = (await venue.catalogue.searchMarkets({ skip: 0, limit: 1000 })).data;
  return { exchange, control, venue, markets, clock };
}

function chainOf({ venue }: Pick<ChainSite, 'venue'>): VenueChain {
  if (venue.chain === null) throw new Error('the venue has a chain');
  return venue.chain;
}

/** Shares of one outcome of a market, and what all of them cost, in text. */
export type Bought = { market: Market; outcome: 0 | 1; shares: string; cost: string };

/** A batch that was bought and has ended, all of it confirmed. The shares themselves come from elsewhere. */
export async function boughtBatch(
  { runtime }: Pick<TestRuntime, 'runtime'>,
  bought: readonly Bought[],
  changed: Partial<typeof batches.$inferInsert> = {},
): Promise<string> {
  const { db, clock, random } = runtime;
  const [id, opportunityId, now] = [random.uuid(), random.uuid(), clock.now()];
  const orders = bought.map(({ market, outcome, shares, cost }, ordinal) => {
    const { outcome: name, tokenId } = market.outcomes[outcome] ?? { outcome: '', tokenId: '' };
    const [size, filledCost] = [sharesFromText(shares), usdFromText(cost)];
    const price = pricePerShare(filledCost, size, 'up');
    const { rate, step } = feeOf(0);
    return {
      ...{ id: random.uuid(), batchId: id, opportunityId, leg: ordinal + 1, ordinal, marketId: market.id, tokenId },
      ...{
        marketName: market.question,
        outcome: name,
        side: 'buy' as const,
        size,
        price,
        feeRate: rate,
        feeStep: step,
      },
      ...{ status: 'filled' as const, filledSize: size, filledCost, fee: USD_ZERO, attemptCount: 1 },
      ...{ createdAt: now, updatedAt: now },
    };
  });
  const smallest = Math.min(...orders.map(({ size }) => size)) as Shares;
  await db.insert(batches).values({
    ...{ id, opportunityId, status: 'completed', expectedOrders: orders.length, totalOrders: orders.length },
    ...{ orderSize: smallest, targetPrice: priceFromText('1'), targetProfit: USD_ZERO, actualProfit: USD_ZERO },
    ...{ automatic: false, simulated: false, settings: DEFAULT_SETTINGS, createdAt: now, updatedAt: now },
    ...{ executionStartedAt: now, executionCompletedAt: now },
    ...changed,
  });
  await db.insert(batchOrders).values(orders);
  const made = orders.map(({ id: orderId, size, price }) => ({
    ...{
      id: random.uuid(),
      orderId,
      batchId: id,
      orderHash: `hash of ${orderId}`,
      salt: '1',
      payload: '{}',
      size,
      price,
    },
    ...{ status: 'matched' as const, matchedSize: size, createdAt: now, sentAt: now, answeredAt: now, endedAt: now },
    updatedAt: now,
  }));
  await db.insert(attempts).values(made);
  await db.insert(fills).values(
    made.map(({ id: attemptId, orderHash, size, price }, place) => ({
      ...{ tradeId: `trade of ${orderHash}`, orderHash, attemptId, batchId: id, price, size, fee: USD_ZERO },
      ...{ cost: orders[place]?.filledCost ?? USD_ZERO, settlement: 'confirmed' as const },
      ...{ matchedAt: now, createdAt: now, settledAt: now },
    })),
  );
  return id;
}

export type ChainDesk = {
  test: TestRuntime;
  controls: ScriptedControls;
  parts: CashNowParts;
  /** Records what would be converted of these shares now. @returns the id of the request, or why it is refused */
  cashNow: (lots: LotScope, pass?: Runtime['pass']) => Promise<{ requestId: string; refusal: string | null }>;
  /** A chain loop, another of the same database where it is called again. */
  keep: (changed?: { runtime?: Runtime; partitions?: Partitions; quotes?: Quotes }) => ChainLoop;
  /** Lets the chain loops work and blocks come until nothing is left to do, or so many times. */
  untilIdle: (times?: number) => Promise<void>;
  /** Of a request, or all. */
  submissions: (requestId?: string) => Promise<Submission[]>;
  stateOf: (batchId: string) => Promise<BatchState>;
};

/** No book has a bid. */
const quotes: Quotes = {
  current: (positions) =>
    positions.map((position) => ({
      ...{ ...position, tokenId: null, market: undefined, book: undefined, midpoint: null, lastTrade: null },
      ...{ feed: 'none' as const, bookAgeMs: null },
    })),
  fresh: async (positions) => quotes.current(positions),
};

export function openChainDesk(test: TestRuntime, site: ChainSite): ChainDesk {
  const { runtime, time } = test;
  const { catalogue, trading } = site.venue;
  if (trading === null) throw new Error('the venue has no account');
  const controls = scriptedControls();
  const stream = { publish: () => {}, watched: () => false };
  const parts: CashNowParts = { runtime, chain: inTimeOf(test, site), catalogue, quotes, controls };
  return {
    test,
    controls,
    parts,
    cashNow: async (lots, pass = runtime.pass) => {
      const scope = { lots, only: null };
      const requestId = runtime.random.uuid();
      const requested = { requestId, purpose: 'cash_now' as const, automatic: false, requestedBy: 'op@example.com' };
      const decision = await decideCashNow(parts, scope, 'trading');
      return {
        requestId,
        refusal: await recordCashNow({ ...parts, runtime: { ...runtime, pass } }, decision, requested, async () => {}),
      };
    },
    keep: (changed = {}) =>
      startChainLoop({
        ...{ runtime, chain: parts.chain, trading, catalogue, partitions: onlyEngine().partitions, controls, stream },
        ...{
          quotes,
          owner: runtime.random.uuid(),
          publisher: openBatchPublisher({ runtime, stream, quotes }),
          ...changed,
        },
      }),
    untilIdle: async (times = 5) => {
      for (let round = 0; round < times; round += 1) {
        await time.advance(1000);
        if ((await unbookedSubmissions(runtime.db, 'polymarket')).length === 0) return;
        await nextBlocks(site);
        await time.leap(5000, 2500);
      }
    },
    submissions: async (requestId) =>
      requestId === undefined
        ? (await listSubmissions(runtime.db, {}, { skip: 0, limit: 1000 })).rows
        : await submissionsOfRequest(runtime.db, requestId),
    stateOf: async (batchId) => {
      const state = await loadBatch(runtime.db, batchId);
      if (state === null) throw new Error(`there is no batch ${batchId}`);
      return state;
    },
  };
}

/** What the venue says of times, by the clock of the test. */
function inTimeOf({ runtime }: TestRuntime, site: ChainSite): VenueChain {
  const chain = chainOf(site);
  const here = (at: Instant) => instantFromMs(at - site.clock.now() + runtime.clock.now());
  return {
    ...chain,
    submit: async (prepared) => {
      const outcome = await chain.submit(prepared);
      return 'resetsAt' in outcome ? { ...outcome, resetsAt: here(outcome.resetsAt) } : outcome;
    },
    quota: () => {
      const quota = chain.quota();
      return quota === null ? null : { ...quota, resetsAt: here(quota.resetsAt) };
    },
  };
}

/** Adds blocks; by default so many that no reorganisation undoes what was sent. */
export async function nextBlocks({ control }: ChainSite, count = FINAL_AFTER_BLOCKS): Promise<void> {
  await control.advanceClock(count * BLOCK_MS);
}

/** What the chain says of cash and shares. */
export async function onChain(site: ChainSite, tokenIds: readonly string[]): Promise<{ cash: Usd; shares: Shares[] }> {
  const { cash, shares } = await chainOf(site).balances(tokenIds);
  return { cash, shares: tokenIds.map((tokenId) => shares.get(tokenId) ?? SHARES_ZERO) };
}
