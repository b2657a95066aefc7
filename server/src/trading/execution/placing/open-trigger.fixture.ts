/** A trigger that has come up, with all that places what it buys. */

import type { Settings } from '@dutchbook/contract/system-settings.ts';
import { bookOf } from '@dutchbook/engine/opportunity/quotes.fixture.ts';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { setPriceFromNumber } from '@dutchbook/units/price.ts';
import { type Usd, usdFromText } from '@dutchbook/units/usd.ts';
import { orderInstants } from '../../../market/decision-journal/ordered-instants.ts';
import type { LiveQuote } from '../../../market/markets/live-quotes.ts';
import { positionsOf } from '../../../market/opportunities/identity.ts';
import type { StoredOpportunity } from '../../../market/opportunities/store.ts';
import { openDesk } from '../../../market/prices/live-prices.fixture.ts';
import { startQuotes } from '../../../market/prices/quotes/quotes.ts';
import { recordTrigger } from '../../../market/prices/trigger.ts';
import type { Runtime } from '../../../platform/runtime/runtime.ts';
import { splitRowsFor } from '../../chain-steps/split-rows.ts';
import { scriptedControls } from '../../trading-controls/controls.fixture.ts';
import { oneDesk } from '../../venue-desk/desks.fixture.ts';
import { start, until } from '../runner/runner.fixture.ts';
import { placeByHand } from './by-hand.ts';
import { openPlacing, triggeredBy } from './placing.ts';
import type { PlaceParts } from './request.ts';

/** An opportunity that pays, armed trading with money for it, and a process that places what its trigger buys. */
export async function openTrigger(changed: Partial<Settings> = {}) {
  const desk = await openDesk();
  desk.settings.change(changed);
  const { test } = desk;
  const { runtime } = test;
  desk.venue.list('rain');
  desk.venue.setBooks({ 'rain:yes': { asks: [['0.90', '500']] } });
  const added = await desk.add(['rain Yes']);
  const quotes = startQuotes(runtime, desk.venue.venue, desk.settings);
  const controls = scriptedControls();
  const reading = () => ({ cash: usdFromText('1000'), allowances: null, at: runtime.clock.now() });
  const account = { reading, refresh: async () => reading(), stop: () => {} };
  let booksNow: readonly LiveQuote[] = [];
  const signing = { ...quotes, current: () => [...booksNow] };
  const { venue, placing } = await start(test, undefined, { controls, account, quotes: signing });
  let passedMs = 0;
  let signOffAbove: Usd | null = null;
  const parts: PlaceParts = {
    runtime: { ...runtime, clock: { now: () => instantFromMs(runtime.clock.now() + passedMs) } },
    quotes,
    catalogue: desk.venue.venue.catalogue,
    settings: desk.settings,
    desks: oneDesk({ controls, account }),
    readiness: () => ({ reconciled: true, placesFound: false, corruptSettings: [], signOffAbove }),
  };
  const price = setPriceFromNumber(0.9);
  const profit = { feesPerSet: usdFromText('0'), profitPercentage: 11_111_111 as never };
  const row: StoredOpportunity = { ...added, ...profit, currentPrice: price, lastChecked: runtime.clock.now() };
  const seen: LiveQuote[] = await quotes.fresh(positionsOf(row.marketCombinations));
  booksNow = seen;
  const { ofDecision } = orderInstants(runtime.clock);
  const buying = openPlacing(parts, placing, triggeredBy(row, seen, ofDecision));
  return {
    test,
    parts,
    placing,
    /** Dollars above which a second person is asked for. */
    asksAbove: (usd: Usd) => {
      signOffAbove = usd;
    },
    venue,
    controls,
    buying,
    settings: desk.settings,
    row,
    seen,
    /** The clock of the decision; time does not pass within a transaction. */
    pass: (ms: number) => {
      passedMs = ms;
    },
    /** The books as they are when orders are signed. */
    move: (asks: Parameters<typeof bookOf>[0]) => {
      booksNow = seen.map((quote) => ({ ...quote, book: bookOf(asks) }));
    },
    /** Records the trigger and what is bought on it, in the given runtime if one is given. */
    record: async (within: Runtime = runtime) => {
      const outcome = await recordTrigger(within, row, null, buying, seen);
      return { batchId: outcome.kind === 'recorded' ? outcome.batchId : null };
    },
    byHand: async () => {
      const userId = runtime.random.uuid();
      const request = { opportunity: row, size: null, quotedPrice: null, userId, splitRows: splitRowsFor(null) };
      const actor = { id: userId, email: 'operator@example.com', address: '127.0.0.1' };
      const placed = await placeByHand(parts, placing, request, { actor });
      return placed.kind === 'placed' ? placed.batchId : placed.reasons.join(' ');
    },
    batchWhen: (batchId: string | null, wanted: Parameters<typeof until>[2]) => until(test, batchId ?? '', wanted),
    [Symbol.asyncDispose]: async () => {
      await placing.stop();
      await quotes.stop();
      await desk[Symbol.asyncDispose]();
    },
  };
}
