import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Venue } from '../venue.ts';
import { openPolymarket } from './polymarket.ts';
import { openStandIn, type StandIn, TEST_RUNTIME } from './stand-in.fixture.ts';

let standIn: StandIn;
let venue: Venue;

beforeEach(async () => {
  standIn = await openStandIn();
  venue = await openPolymarket(standIn.config(), TEST_RUNTIME);
});

afterEach(async () => {
  await venue.close();
  await standIn.close();
});

const TRADED = { price: '0.42', side: 'SELL' };
const NEVER_TRADED = { price: '0.5', side: '' };

it.each([
  ['both sides', { BUY: '0.3', SELL: '0.5' }, '0.4', NEVER_TRADED, { midpoint: 400_000, lastTrade: null }],
  ['prices as numbers', { BUY: 0.3, SELL: 0.5 }, 0.4, TRADED, { midpoint: 400_000, lastTrade: 420_000 }],
  ['no bids', { BUY: '0', SELL: '0.999' }, '0.4995', TRADED, { midpoint: null, lastTrade: 420_000 }],
  ['no asks', { BUY: '0.01', SELL: '1' }, '0.505', TRADED, { midpoint: null, lastTrade: 420_000 }],
  ['an empty text for a side', { BUY: '', SELL: '0.9' }, '0.5', NEVER_TRADED, undefined],
  ['a side left out', { SELL: '0.9' }, '0.5', NEVER_TRADED, undefined],
  ['nothing at all', {}, '0.5', NEVER_TRADED, undefined],
])('quotes of a token with %s only what orders and trades say', async (_, sides, mid, last, expected) => {
  standIn.answer('POST /prices', () => ({ t: sides }));
  standIn.answer('POST /midpoints', () => ({ t: mid }));
  standIn.answer('POST /last-trades-prices', () => [{ token_id: 't', ...last }]);
  const quote = (await venue.prices.fetchQuotes(['t'])).get('t');
  expect(quote).toEqual(expected && { tokenId: 't', ...expected });
});

it('books over REST are read in any order, and one with a level that is none costs no other', async () => {
  const levelsOf = (...levels: [string, string][]) => levels.map(([price, size]) => ({ price, size }));
  const at = { timestamp: '1700000000000', tick_size: '0.001' };
  const bids = levelsOf(['0.1', '5'], ['0.3', '7.25'], ['0.2', '0']);
  const asks = levelsOf(['0.9', '1'], ['0.4', '2']);
  standIn.answer('POST /books', () => [
    { asset_id: 'broken', ...at, bids: levelsOf(['0.1', '-5']), asks },
    { asset_id: 'late', ...at, timestamp: 'yesterday', bids, asks },
    { asset_id: 'odd', ...at, tick_size: 'fine', bids, asks },
    { asset_id: 't', ...at, bids, asks },
    { asset_id: 'empty', timestamp: 1_700_000_000_000, bids: [], asks: [] },
    null,
  ]);
  const books = await venue.prices.fetchBooks(['broken', 'late', 'odd', 't', 'empty']);
  expect([...books.values()]).toEqual([
    {
      ...{ tokenId: 't', timestamp: 1_700_000_000_000, tick: 1000 },
      bids: [
        { price: 300_000, size: 7_250_000 },
        { price: 100_000, size: 5_000_000 },
      ],
      asks: [
        { price: 400_000, size: 2_000_000 },
        { price: 900_000, size: 1_000_000 },
      ],
    },
    { tokenId: 'empty', timestamp: 1_700_000_000_000, tick: null, bids: [], asks: [] },
  ]);
});
