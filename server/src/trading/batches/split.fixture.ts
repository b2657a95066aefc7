/** The calls that place, with the loops behind them, on the simulated exchange with its chain, for tests of splits. */

import type { Market } from '@dutchbook/engine/market/market.ts';
import { planSplit } from '@dutchbook/engine/split/plan-split.ts';
import { splitWay } from '@dutchbook/engine/split/way-in.ts';
import { PRICE_ONE } from '@dutchbook/units/price.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import type { Quotes } from '../../market/markets/live-quotes.ts';
import {
  addOpportunity,
  DEFAULT_SETTINGS,
  type ScriptedSettings,
  scriptedSettings,
} from '../../market/prices/live-prices.fixture.ts';
import { startQuotes } from '../../market/prices/quotes/quotes.ts';
import { together } from '../../platform/database/write-together.ts';
import { onlyEngine } from '../../platform/engines/engines.ts';
import { openTestApp, type TestApp } from '../../platform/http/app.fixture.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import type { ChainDesk, ChainSite } from '../chain-steps/chain.fixture.ts';
import { nextBlocks, openChainDesk } from '../chain-steps/chain.fixture.ts';
import type { ChainLoop } from '../chain-steps/chain-loop.ts';
import { splitRowsFor } from '../chain-steps/split-rows.ts';
import { startBatchRunner } from '../execution/runner/batch-runner.ts';
import { registerOrders } from '../orders/routes.ts';
import { startAccount } from '../venue-desk/account.ts';
import { oneDesk } from '../venue-desk/desks.fixture.ts';
import { registerBatchActions } from './action-routes.ts';
import { type Answer, type Caller, caller } from './actions.fixture.ts';
import { registerPlacing } from './placing-routes.ts';
import { registerBatches } from './routes.ts';

export type SplitSite = TestApp &
  Caller & {
    desk: ChainDesk;
    settings: ScriptedSettings;
    quotes: Quotes;
    /** No on every member of the event that the contract holds as a whole, and what it pays. */
    opportunityId: string;
    members: Market[];
    /** Quotes every member: what is bid for Yes, and asked five cents above it. */
    bid: (prices: readonly string[], size?: string) => Promise<void>;
    simulate: (query?: string) => Promise<Answer>;
    place: (query?: string, key?: string) => Promise<Answer>;
    /** Records that dollars are split into so many pairs of a market, whatever they would bring. @returns the id of the batch */
    splitPair: (market: Market, shares: string) => Promise<string>;
    keep: (changed?: { runtime?: Runtime; quotes?: Quotes }) => ChainLoop;
    /** Lets the loops work and blocks come. */
    pass: (rounds?: number) => Promise<void>;
    batch: (id: string) => Promise<Record<string, unknown>>;
  };

export async function openSplitSite(site: ChainSite, hasChain = true): Promise<SplitSite> {
  const served = await openTestApp({ variables: { VENUE: 'simulated' } });
  const { app, test } = served;
  const { runtime, time } = test;
  const desk = openChainDesk(test, site);
  const settings = scriptedSettings({
    ...{ ...DEFAULT_SETTINGS, USE_CUMULATIVE_PRICING: false, ENABLE_WEBSOCKET: false },
    AUTO_PLACE_ORDER_ENABLED: false,
  });
  const { controls } = desk;
  const quotes = startQuotes(runtime, site.venue, settings);
  const account = startAccount(runtime, site.venue.trading);
  const stream = { publish: () => {}, watched: () => false };
  const soundness = () => ({ corruptSettings: [] });
  const { catalogue, trading, chain, openUserStream } = site.venue;
  const desks = oneDesk({ trading, chain: hasChain ? chain : null, openUserStream, account, controls });
  const placing = await startBatchRunner({
    ...{
      runtime,
      catalogue,
      quotes,
      stream,
      desks,
      settings,
      soundness,
      found: () => ({ placesFound: false }),
    },
    partitions: onlyEngine().partitions,
  });
  registerPlacing(app, {
    live: { rowsNow: (rows) => [...rows] },
    ...{ runtime, quotes, catalogue, settings, desks, placing },
    readiness: () => ({ reconciled: true, placesFound: false, ...soundness() }),
  });
  registerBatches(app, { runtime, quotes });
  registerBatchActions(app, { runtime, quotes, placing, desks });
  registerOrders(app, { runtime, placing });
  const members = await wholeEvent(site);
  const positions = members.map(({ id }) => `${id} No`);
  const { id: opportunityId } = await addOpportunity(test, positions, { target_price: members.length - 1 });
  const calls = await caller(served);
  const loops: ChainLoop[] = [];
  return {
    ...{ ...served, ...calls, desk, settings, quotes, opportunityId, members },
    bid: async (prices, size = '1000') => {
      for (const [place, { outcomes }] of members.entries()) {
        const bid = prices[place] ?? '0';
        await site.control.quote(outcomes[0]?.tokenId ?? '', [[bid, size]], [[(Number(bid) + 0.05).toFixed(2), size]]);
      }
    },
    simulate: (query = '') => calls.call('GET', `/arbitrage/simulate-orders/${opportunityId}?way_in=split${query}`),
    place: (query = '', key) =>
      calls.call(
        'POST',
        `/arbitrage/place-order/${opportunityId}?way_in=split${query}`,
        key === undefined ? {} : { key },
      ),
    splitPair: async (market, shares) => {
      const positions = market.outcomes.map(({ outcome }, place) => ({ leg: place + 1, marketId: market.id, outcome }));
      for (const { tokenId } of market.outcomes.slice(0, 1))
        await site.control.quote(tokenId, [['0.45', '1000']], [['0.50', '1000']]);
      const quoted = await quotes.fresh(positions);
      const way = splitWay(quoted, PRICE_ONE, null);
      if (way === null) throw new Error('a market of two outcomes can be split');
      const plan = planSplit(way, quoted, sharesFromText(shares), PRICE_ONE);
      const intent = {
        ...{ opportunityId: runtime.random.uuid(), targetPrice: PRICE_ONE, quotedPrice: null, plan, automatic: false },
        ...{
          name: 'Will it rain? · Yes',
          sizeBoundedBy: null,
          feeSchedules: new Map(),
          bookAges: new Map(),
          settings: settings.current(),
          createdBy: null,
          warning: null,
        },
      };
      const { batch, writes, calls } = splitRowsFor(null)(runtime, intent, { way, plan });
      await runtime.db.execute(together(writes, calls));
      await site.control.quote(market.outcomes[0]?.tokenId ?? '', [], []);
      return batch.id;
    },
    keep: (changed = {}) => {
      const loop = desk.keep({ quotes, ...changed });
      loops.push(loop);
      return loop;
    },
    pass: async (rounds = 3) => {
      for (let round = 0; round < rounds; round += 1) {
        await time.advance(1000);
        await nextBlocks(site);
        await time.leap(5000, 2500);
      }
    },
    batch: async (id) => (await calls.call('GET', `/arbitrage/batches/${id}`)).body,
    [Symbol.asyncDispose]: async () => {
      for (const loop of loops) await loop.stop();
      await placing.stop();
      account.stop();
      await quotes.stop();
      await served[Symbol.asyncDispose]();
    },
  };
}

/** Of which the contract knows every member, the one for all others among them, and all are listed. */
async function wholeEvent({ venue, markets }: ChainSite): Promise<Market[]> {
  const ids = [...new Set(markets.flatMap(({ event }) => (event?.negRisk === true ? [event.id] : [])))];
  const events = await venue.catalogue.eventsById(ids, 'display');
  const whole = events.find(({ members }) => members[0]?.arity === members.length - 1);
  if (whole === undefined) throw new Error('the exchange lists such an event');
  return whole.members.flatMap(({ marketId }) => markets.find(({ id }) => id === marketId) ?? []);
}
