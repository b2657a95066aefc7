/** The calls that sell, with the batch runner on a scripted venue, for tests. */

import type { Level } from '@dutchbook/engine/book/level.ts';
import type { ResolutionStatus } from '@dutchbook/engine/market/market.ts';
import type { Position } from '@dutchbook/engine/opportunity/position.ts';
import { feeOf, marketOf } from '@dutchbook/engine/opportunity/quotes.fixture.ts';
import { priceFromText } from '@dutchbook/units/price.ts';
import { SHARES_ZERO, type Shares, sharesFromText } from '@dutchbook/units/shares.ts';
import { usdFromText } from '@dutchbook/units/usd.ts';
import type { PostOutcome, SignedOrder } from '@dutchbook/venues/venue.ts';
import type { PortfolioDesk } from '../../books/portfolio/portfolio.ts';
import { registerPortfolio } from '../../books/portfolio/routes.ts';
import type { LiveQuote, Quotes } from '../../market/markets/live-quotes.ts';
import { openTestApp, type TestApp } from '../../platform/http/app.fixture.ts';
import { DEFAULT_SETTINGS, ended, recordedBatch, start, until } from '../execution/runner/runner.fixture.ts';
import { type ScriptedTrading, scriptedTrading } from '../execution/runner/scripted-trading.fixture.ts';
import type { BatchState } from '../orders/batch-state.ts';
import type { Placing } from '../orders/intents.ts';
import { type ScriptedControls, scriptedControls } from '../trading-controls/controls.fixture.ts';
import { oneDesk } from '../venue-desk/desks.fixture.ts';
import { desksOf } from '../venue-desk/desks.ts';
import { type Caller, caller, registerActions } from './actions.fixture.ts';
import { registerSelling } from './selling-routes.ts';

export type SellingSite = TestApp &
  Caller & {
    venue: ScriptedTrading;
    quotes: Quotes;
    controls: ScriptedControls;
    /** Who bids for a token from now on, best first; a token that nothing was said of has no book. */
    bid: (tokenId: string, ...levels: (readonly [price: string, size: string])[]) => void;
    /**
     * A batch of orders of ten shares at 0.40 of both tokens, or those named, of which this many were bought, and which has
     * ended.
     */
    bought: (
      filled?: readonly string[],
      changed?: { simulated?: boolean; tokens?: readonly string[]; settled?: boolean },
    ) => Promise<string>;
    /** A batch like that whose orders rest at the venue, with nothing filled; so many shares of each were matched, and that was undone. */
    resting: (undone?: Shares) => Promise<string>;
    /** How far the answer of a token's market is from now on. */
    resolve: (tokenId: string, resolution: ResolutionStatus) => void;
    /** Its book is stale from now on. */
    goStale: (tokenId: string) => void;
    /** A healthy stream feeds all other books from now on. */
    stream: () => void;
    /** Of the portfolio: others may be put behind the first. */
    desks: PortfolioDesk[];
    /** From now on the venue says that the account holds this of each token, as where trades have not arrived or are lost. */
    showHoldings: (shares: Shares) => void;
    stop: Placing['stop'];
  };

export async function openSellingSite(variables: Record<string, string> = {}): Promise<SellingSite> {
  const site = await openTestApp({ variables: { VENUE: 'simulated', ...variables } });
  const { test } = site;
  const venue = scriptedTrading(test.runtime);
  const controls = scriptedControls();
  const bids = new Map<string, Level[]>();
  const resolutions = new Map<string, ResolutionStatus>();
  const stale = new Set<string>();
  let isStreamed = false;
  const quotesOf = (positions: readonly Position[]) =>
    positions
      .map((position) => quoteOf(position, bids, resolutions))
      .map((quote) => (isStreamed ? { ...quote, feed: 'live' as const } : quote))
      .map((quote) => (stale.has(quote.tokenId ?? '') ? { ...quote, feed: 'stale' as const } : quote));
  const quotes: Quotes = { current: quotesOf, fresh: async (positions) => quotesOf(positions) };
  const reading = () => ({ cash: usdFromText('1000'), allowances: null, at: test.runtime.clock.now() });
  const account = { reading, refresh: async () => reading(), stop: () => {} };
  const { trading, openUserStream, chain } = venue.venue;
  const own = oneDesk({ trading, openUserStream, chain, account, controls }).all;
  // Of both venues: the scripted one takes the orders of either.
  const both = desksOf([...own, ...own.map((desk) => ({ ...desk, name: 'kalshi' as const }))]);
  const { placing } = await start(test, venue, { quotes, desks: both });
  registerActions(site, { placing, quotes, controls });
  const settings = { current: () => DEFAULT_SETTINGS };
  const desks: PortfolioDesk[] = [
    {
      ...{ name: 'polymarket', trading: venue.venue.trading, chain: venue.venue.chain },
      account: {
        refresh: async () => ({ cash: usdFromText('1000'), allowances: null, at: test.runtime.clock.now() }),
      },
    },
  ];
  registerPortfolio(site.app, {
    runtime: test.runtime,
    quotes,
    catalogue: venue.venue.catalogue,
    desks: { all: desks },
  });
  registerSelling(site.app, { runtime: test.runtime, quotes, venue: venue.venue, settings, placing });
  return {
    ...site,
    ...(await caller(site)),
    venue,
    quotes,
    desks,
    controls,
    bid: (tokenId, ...levels) => void bids.set(tokenId, levels.map(levelOf)),
    resolve: (tokenId, resolution) => void resolutions.set(tokenId, resolution),
    goStale: (tokenId) => void stale.add(tokenId),
    stream: () => {
      isStreamed = true;
    },
    bought: async (filled = ['10', '10'], { simulated = false, tokens, settled = true } = {}) => {
      const sizes = filled.map(sharesFromText);
      venue.onPost((order) => takeOnly(venue, order, { size: sizes.shift(), settled }));
      const batchId = await recordedBatch(test, { ORDER_SIMULATION_ENABLED: simulated }, tokens);
      placing.wake(batchId);
      await until(test, batchId, ended);
      venue.onPost((order) => venue.take(order));
      return batchId;
    },
    resting: async (undone = SHARES_ZERO) => {
      venue.onPost((order) => {
        const outcome = venue.take(order, undone);
        venue.settle(order.orderHash, 'failed');
        return outcome;
      });
      const batchId = await recordedBatch(test);
      placing.wake(batchId);
      const rests = ({ orders, fills }: BatchState) =>
        orders.every(({ status }) => status === 'open') && (undone === 0 || fills.length === orders.length);
      await until(test, batchId, rests);
      venue.onPost((order) => venue.take(order));
      return batchId;
    },
    showHoldings: (shares) => {
      const { trading } = venue.venue;
      if (trading !== null) trading.holding = async () => ({ shares, allowances: null });
    },
    stop: placing.stop,
    [Symbol.asyncDispose]: async () => {
      await placing.stop();
      await site[Symbol.asyncDispose]();
    },
  };
}

/** The rest of the order is gone at once. */
type Taken = { size: Shares | undefined; settled: boolean };

function takeOnly(venue: ScriptedTrading, order: SignedOrder, { size, settled }: Taken): PostOutcome {
  const outcome = venue.take(order, size);
  if (settled) venue.settle(order.orderHash, 'confirmed');
  const held = venue.orders.get(order.orderHash);
  if (held?.status === 'open') held.status = 'canceled';
  return outcome;
}

function levelOf([price, size]: readonly [string, string]): Level {
  return { price: priceFromText(price), size: sharesFromText(size) };
}

function quoteOf(
  position: Position,
  bids: ReadonlyMap<string, Level[]>,
  resolutions: ReadonlyMap<string, ResolutionStatus>,
): LiveQuote {
  const tokenId = position.marketId.replace('market-', '');
  const book = bids.get(tokenId);
  const asks = [levelOf(['0.4', '1000'])];
  return {
    ...position,
    tokenId,
    market: marketOf(position.marketId, {
      question: `Market ${tokenId}`,
      outcomes: [
        { outcome: 'Yes', tokenId },
        { outcome: 'No', tokenId: `${tokenId}-no` },
      ],
      minOrderSize: SHARES_ZERO,
      resolution: resolutions.get(tokenId) ?? null,
      feeSchedule: feeOf(0),
    }),
    book: book && { bids: book, asks },
    midpoint: null,
    lastTrade: null,
    feed: book ? 'polled' : 'none',
    bookAgeMs: book ? 0 : null,
  };
}
