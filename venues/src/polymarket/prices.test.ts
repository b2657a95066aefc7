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
