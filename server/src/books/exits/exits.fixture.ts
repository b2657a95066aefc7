/** The calls that convert shares into dollars, with the loops behind them, on a scripted venue, for tests. */

import type { Market } from '@dutchbook/engine/market/market.ts';
import { marketOf } from '@dutchbook/engine/opportunity/quotes.fixture.ts';
import type { CatalogueEvent } from '@dutchbook/engine/relation/catalogue-event.ts';
import { venueOf } from '@dutchbook/units/ids.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import type { VenueTrading } from '@dutchbook/venues/venue.ts';
import { eq } from 'drizzle-orm';
import type { Quotes } from '../../market/markets/live-quotes.ts';
import { onlyEngine } from '../../platform/engines/engines.ts';
import { openTestApp, type TestApp } from '../../platform/http/app.fixture.ts';
import { type Caller, caller } from '../../trading/batches/actions.fixture.ts';
import { registerBatches } from '../../trading/batches/routes.ts';
import { registerSelling } from '../../trading/batches/selling-routes.ts';
import { boughtBatch } from '../../trading/chain-steps/chain.fixture.ts';
import { type ScriptedChain, scriptedChain } from '../../trading/chain-steps/scripted-chain.fixture.ts';
import { DEFAULT_SETTINGS, start } from '../../trading/execution/runner/runner.fixture.ts';
import { type ScriptedTrading, scriptedTrading } from '../../trading/execution/runner/scripted-trading.fixture.ts';
import { registerOrders } from '../../trading/orders/routes.ts';
import { batches } from '../../trading/orders/table.ts';
import { type ScriptedControls, scriptedControls } from '../../trading/trading-controls/controls.fixture.ts';
import { oneDesk } from '../../trading/venue-desk/desks.fixture.ts';
import { desksOf } from '../../trading/venue-desk/desks.ts';
import { registerPortfolio } from '../portfolio/routes.ts';
import { registerExits } from './routes.ts';
import { openExitSettings } from './settings.ts';
import { startExits } from './start-exits.ts';

export type ExitSite = TestApp &
  Caller & {
    chain: ScriptedChain;
    /** Of the second account, at Kalshi, where there is one. */
    secondChain: ScriptedChain;
    trading: ScriptedTrading;
    controls: ScriptedControls;
    /** What the venue knows of markets, by id, and of their events. */
    markets: Map<string, Market>;
    events: CatalogueEvent[];
    /** A batch of so many pairs of a market, which the chain has as well. */
    boughtPairs: (shares: string, changed?: Parameters<typeof boughtBatch>[2], marketId?: string) => Promise<string>;
    superuser: Record<string, string>;
    /** Lets the loops carry out what is recorded; what two of them are at in the same moment, one comes back to after five seconds. */
    untilIdle: () => Promise<void>;
  };

type Asked = {
  hasChain?: boolean;
  alsoAtKalshi?: boolean;
  /** What the account at Kalshi does in place of the scripted one; null without one that may trade. */
  kalshiTrading?: Partial<VenueTrading> | null;
};

export async function openExitSite(asked: Asked = {}): Promise<ExitSite> {
  const { hasChain = true, alsoAtKalshi = false, kalshiTrading = {} } = asked;
  const site = await openTestApp({ variables: { VENUE: 'simulated' } });
  const { app, test } = site;
  const { runtime } = test;
  const [chain, trading, controls] = [scriptedChain(), scriptedTrading(runtime), scriptedControls()];
  const secondChain = scriptedChain();
  for (const one of [...chain.allowed, ...secondChain.allowed]) one.amount = Number.MAX_SAFE_INTEGER;
  const markets = new Map<string, Market>();
  const events: CatalogueEvent[] = [];
  const catalogue = {
    ...trading.venue.catalogue,
    marketsById: async (ids: readonly string[]) =>
      new Map(ids.flatMap((id) => (markets.has(id) ? [[id, markets.get(id) as Market] as const] : []))),
    eventsById: async (ids: readonly string[]) => events.filter(({ id }) => ids.includes(id)),
  };
  const quotes: Quotes = {
    current: (positions) =>
      positions.map((position) => {
        const market = markets.get(position.marketId);
        const tokenId = market?.outcomes.find(({ outcome }) => outcome === position.outcome)?.tokenId ?? null;
        const unpriced = { book: undefined, midpoint: null, lastTrade: null, feed: 'none' as const, bookAgeMs: null };
        return { ...position, tokenId, market, ...unpriced };
      }),
    fresh: async (positions) => quotes.current(positions),
  };
  const venue = { ...trading.venue, catalogue, chain: hasChain ? chain : null };
  const stream = { publish: () => {}, watched: () => false };
  const [first] = oneDesk({ ...venue, controls }).all;
  const kalshi = { name: 'kalshi' as const, controls: Object.assign(scriptedControls(), { venue: 'kalshi' as const }) };
  const secondVenue = scriptedTrading(runtime).venue;
  const mayTrade = kalshiTrading !== null && secondVenue.trading !== null;
  const secondTrading = mayTrade ? { ...secondVenue.trading, ...kalshiTrading } : null;
  const [second] = oneDesk({ ...secondVenue, ...kalshi, trading: secondTrading, chain: secondChain }).all;
  if (first === undefined || second === undefined) throw new Error('a desk was not opened');
  const desks = desksOf(alsoAtKalshi ? [first, second] : [first]);
  const { placing } = await start(test, { ...trading, venue }, { quotes, controls, desks });
  const [settings, settingsOfSecond] = [
    await openExitSettings(runtime, 'polymarket'),
    await openExitSettings(runtime, 'kalshi'),
  ];
  const parts = { runtime, venue, quotes, controls, stream };
  const { partitions } = onlyEngine();
  const stops = [startExits({ ...parts, partitions }, settings)];
  if (alsoAtKalshi)
    stops.push(
      startExits(
        { ...parts, venue: { ...second, catalogue }, controls: second.controls, partitions },
        settingsOfSecond,
      ),
    );
  registerExits(app, { runtime, quotes, stream, catalogue, desks }, [
    settings,
    ...(alsoAtKalshi ? [settingsOfSecond] : []),
  ]);
  registerBatches(app, { runtime, quotes });
  registerOrders(app, { runtime, placing });
  registerPortfolio(app, { runtime, quotes, catalogue, desks });
  registerSelling(app, { runtime, quotes, venue, settings: { current: () => DEFAULT_SETTINGS }, placing });
  return {
    ...site,
    ...(await caller(site)),
    ...{ chain, secondChain, trading, controls, markets, events },
    superuser: (await site.signedIn({ isSuperuser: true, email: 'boss@example.com' })).headers,
    boughtPairs: async (shares, changed = {}, marketId = 'rain') => {
      const market = markets.get(marketId) ?? marketOf(marketId);
      markets.set(marketId, market);
      const { shares: onChain } = venueOf(marketId) === 'kalshi' ? secondChain : chain;
      for (const { tokenId } of market.outcomes)
        onChain.set(tokenId, ((onChain.get(tokenId) ?? 0) + sharesFromText(shares)) as never);
      const bought = [
        { market, outcome: 0 as const, shares, cost: '4' },
        { market, outcome: 1 as const, shares, cost: '5' },
      ];
      return await boughtBatch(test, bought, changed);
    },
    untilIdle: async () => {
      for (let second = 0; second < 12; second += 1) {
        await test.time.advance(1000);
        if (second >= 5 && (await runtime.db.$count(batches, eq(batches.saleUnderWay, true))) === 0) return;
      }
    },
    [Symbol.asyncDispose]: async () => {
      for (const stop of stops) await stop();
      await placing.stop();
      for (const each of [settings, settingsOfSecond]) each.stop();
      await site[Symbol.asyncDispose]();
    },
  };
}
