/** The rows of `hold.ts` of a change that concerns every opportunity there is: of a market they share, a setting, the cache. */
import { setTimeout as pause } from 'node:timers/promises';
import { SETTINGS, type Settings } from '@dutchbook/contract/system-settings.ts';
import type { Book } from '@dutchbook/engine/book/book.ts';
import { readConfig } from '@dutchbook/server/config/config.ts';
import { onlyEngine } from '@dutchbook/server/engines/engines.ts';
import { openRuntime } from '@dutchbook/server/open-runtime.ts';
import { openListeners } from '@dutchbook/server/runtime/listeners.ts';
import type { Clock, Db } from '@dutchbook/server/runtime.ts';
import { priceFromText } from '@dutchbook/units/price.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import type { MarketStream, MarketStreamEvents, StreamedBook } from '@dutchbook/venues/venue.ts';
import { sql } from 'drizzle-orm';
import { openDatabase } from '../databases.ts';
import { addOpportunities, follow, marketsOf } from '../feed/desk.ts';
import { say, tell } from '../rows.ts';
import { CPU_MS_MAX, type Hold, watchHolds } from './watch.ts';

const OPPORTUNITIES = 50_000;
const POSITIONS = 2;
/** Long enough for everything that a change sets off, writes included. */
const AFTERWARDS_MS = 8000;

export async function measurePrices(): Promise<void> {
  const settings = changingSettings();
  await using database = await openDatabase();
  const { runtime, close } = await openRuntime(readConfig(database.variables));
  const markets = marketsOf({ opportunities: OPPORTUNITIES, positions: POSITIONS });
  const shared = markets[0];
  if (shared === undefined) throw new Error('there are no markets');
  await addOpportunities(runtime.db, markets, OPPORTUNITIES, POSITIONS);
  await shareFirstPosition(runtime.db, shared.id);
  const opened: { stream?: ReturnType<typeof scriptedStream> } = {};
  const openStream = (events: MarketStreamEvents) => {
    opened.stream = scriptedStream(events, runtime.clock);
    return opened.stream.stream;
  };
  const timers = {
    ...runtime.timers,
    after: (_: number, work: () => void | Promise<void>) => runtime.timers.after(0, work),
  };
  const watch = watchHolds();
  const measure = async (name: string, work: () => void) => {
    watch.begin();
    work();
    await pause(AFTERWARDS_MS);
    report(name, watch.end());
  };
  const followed = await follow(runtime, onlyEngine().partitions, markets, { openStream, timers, settings });
  await pause(AFTERWARDS_MS * 2);
  const { stream } = opened;
  if (stream === undefined) throw new Error('no stream was opened');
  const [token] = shared.outcomes.map(({ tokenId }) => tokenId);
  if (token === undefined) throw new Error('the market has no outcome');
  report('following them', watch.end());
  await measure('warm up', () => stream.setAsk(token, '0.52'));
  await measure('a price of the market of all', () => stream.setAsk(token, '0.53'));
  await measure('the same, three times at once', () => {
    for (const ask of ['0.54', '0.55', '0.56']) stream.setAsk(token, ask);
  });
  await measure('a setting of pricing', () => settings.change({ USE_CUMULATIVE_PRICING: false }));
  await measure('a cleared cache', () => followed.quotes.forget());
  await followed.stop();
  watch.stop();
  await close();
}

function report(name: string, { cpuMs, wallMs, collectingMs }: Hold): void {
  const question = `${OPPORTUNITIES.toLocaleString('en')} opportunities: ${name}`;
  tell({ question, figure: cpuMs, unit: 'ms', budget: { atMost: CPU_MS_MAX }, floor: null });
  say(`  by the clock ${wallMs.toFixed(0)} ms, collecting garbage ${collectingMs.toFixed(0)} ms`);
}

/** The first position of every opportunity is the same, the others are as they were. */
async function shareFirstPosition(db: Db, marketId: string): Promise<void> {
  await db.execute(sql`
    update opportunities set market_combinations = jsonb_set(market_combinations, '{0,markets,0}',
      jsonb_build_object('id', ${marketId}::text, 'outcome', 'Yes'))`);
}

function changingSettings() {
  const listeners = openListeners();
  let current = Object.fromEntries(
    Object.entries(SETTINGS).map(([name, { default: value }]) => [name, value]),
  ) as Settings;
  return {
    current: () => current,
    corrupt: () => [],
    refresh: async () => {},
    onChange: listeners.add,
    change: (changed: Partial<Settings>) => {
      current = { ...current, ...changed };
      listeners.call();
    },
  };
}

/** Every token that is subscribed to has a book at once. */
function scriptedStream(events: MarketStreamEvents, clock: Clock) {
  const books = new Map<string, StreamedBook>();
  const levelAt = (price: string) => ({ price: priceFromText(price), size: sharesFromText('1000') });
  const bookAt = (ask: string): Book => ({ bids: [levelAt('0.49')], asks: [levelAt(ask)] });
  const show = (tokenId: string, ask: string) => {
    const now = clock.now();
    books.set(tokenId, { book: bookAt(ask), trust: 'verified', receivedAt: now, venueTimestamp: now });
  };
  const stream: MarketStream = {
    subscribe: (tokenIds) => {
      for (const tokenId of tokenIds) show(tokenId, '0.51');
      setImmediate(() => events.onBooks(tokenIds));
    },
    unsubscribe: (tokenIds) => {
      for (const tokenId of tokenIds) books.delete(tokenId);
    },
    book: (tokenId) => books.get(tokenId),
    isConnected: () => true,
    health: () => ({ sockets: 1, connected: 1, sound: 1, readsFail: false, tokens: books.size, staleTokens: 0 }),
    close: async () => {},
  };
  return {
    stream,
    setAsk: (tokenId: string, ask: string) => {
      show(tokenId, ask);
      events.onBooks([tokenId]);
    },
  };
}
