import { SETTINGS, type Settings } from '@dutchbook/contract/system-settings.ts';
import { feeOf, marketOf } from '@dutchbook/engine/opportunity/quotes.fixture.ts';
import { priceFromText } from '@dutchbook/units/price.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import { expect, it } from 'vitest';
import { onlyEngine } from '../../platform/engines/engines.ts';
import { openTestRuntime } from '../../test-runtime.ts';
import { NO_JOURNAL } from '../decision-journal/note.ts';
import { readDraft } from '../opportunities/draft.ts';
import { insertDrafts } from '../opportunities/insert-drafts.ts';
import { readOpportunities } from '../opportunities/store.ts';
import { LiveDesk } from './live-desk.ts';
import { liveQuote } from './quotes/live-quote.ts';
import { type Tracked, track } from './tracked.ts';

const ROWS = 150;
const AT_ONCE = 100;
const LATER_MS = 15_000;
const DEFAULTS = Object.fromEntries(
  Object.entries(SETTINGS).map(([name, { default: value }]) => [name, value]),
) as Settings;

const MARKET = marketOf('m', { outcomes: [{ outcome: 'Yes', tokenId: 't' }], feeSchedule: feeOf(0.03) });

it('writes a first price soon, and one that has moved late and a hundred at a time, or at once where prices are listed', async () => {
  await using test = await openTestRuntime();
  const { runtime, time } = test;
  const desk = new LiveDesk(
    {
      runtime,
      quotes: {
        ...{ current: () => [], frozen: () => () => [], hasAnswered: () => true, marketIdOf: () => undefined },
        tokens: { held: () => undefined },
      },
      settings: { current: () => DEFAULTS },
      stream: { publish: () => {}, watched: () => false },
      partitions: onlyEngine().partitions,
      journal: NO_JOURNAL,
      onTrigger: {
        isReady: () => false,
        buy: () => ({ look: () => async () => ({ refusals: [] }), end: () => {} }),
      },
    },
    { isWanted: () => true, onLooked: () => {}, onLeft: () => {}, onAlert: () => {} },
  );
  const drafts = Array.from({ length: ROWS }, (_, index) => {
    const market_combinations = [{ leg: 1, markets: [{ id: `m${index}`, outcome: 'Yes' }] }];
    const read = readDraft({ market_combinations, target_price: 0.01 });
    if (read.kind === 'refused') throw new Error(read.reason);
    return read.draft;
  });
  const { created } = await insertDrafts(runtime, drafts);
  const all = (await readOpportunities(runtime.db, [...created.values()])).map(track);
  const revalue = (tracked: Tracked, ask: string) => {
    const asks = [{ price: priceFromText(ask), size: sharesFromText('1000') }];
    const held = { book: { bids: [], asks }, feed: 'live' as const, ageMs: 0, venueTimestamp: runtime.clock.now() };
    const known = { tokenId: 't', market: MARKET, held, midpoint: null, lastTrade: null, whyLeftOut: null };
    const quotes = tracked.positions.map((position) => liveQuote(position, known));
    void desk.revalue(tracked, quotes, { asked: false, mayTrigger: true });
  };
  const storedAt = async (price: string) => {
    const rows = await readOpportunities(runtime.db, [...created.values()]);
    return rows.filter(({ currentPrice }) => currentPrice === priceFromText(price)).length;
  };

  for (const tracked of all) revalue(tracked, '0.50');
  await desk.writes.flush();
  expect(await storedAt('0.50')).toBe(ROWS);

  for (const tracked of all) revalue(tracked, '0.51');
  await desk.writes.flush();
  expect(await storedAt('0.51')).toBe(0);
  expect(desk.writes.moved()).toHaveLength(ROWS);
  const [first] = all;
  if (first !== undefined) revalue(first, '0.50');
  expect(desk.writes.moved()).toHaveLength(ROWS - 1);
  await time.advance(LATER_MS);
  await desk.writes.flush();
  expect(await storedAt('0.51')).toBe(AT_ONCE);
  expect(desk.writes.moved()).toHaveLength(ROWS - 1 - AT_ONCE);
  await desk.writes.flush();
  expect(await storedAt('0.51')).toBe(ROWS - 1);
  expect(desk.writes.moved()).toEqual([]);

  desk.writes.noteListed();
  for (const tracked of all) revalue(tracked, '0.52');
  await desk.writes.flush();
  expect(await storedAt('0.52')).toBe(ROWS);
});
