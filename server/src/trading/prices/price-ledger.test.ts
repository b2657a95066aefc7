import { SETTINGS, type Settings } from '@dutchbook/contract/system-settings.ts';
import type { Market } from '@dutchbook/engine/market/market.ts';
import { fractionFromText } from '@dutchbook/units/fraction.ts';
import { priceFromText, tickFromText } from '@dutchbook/units/price.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import { expect, it } from 'vitest';
import { onlyEngine } from '../../engines/engines.ts';
import { readDraft } from '../../opportunities/draft.ts';
import { insertDrafts, readOpportunities } from '../../opportunities/store.ts';
import { openTestWorld } from '../../world/test-world.ts';
import { trustedQuote } from '../quotes/trusted-quote.ts';
import { createPriceLedger } from './price-ledger.ts';
import { type Tracked, track } from './tracked.ts';

const ROWS = 150;
const AT_ONCE = 100;
const LATER_MS = 15_000;
const DEFAULTS = Object.fromEntries(
  Object.entries(SETTINGS).map(([name, { default: value }]) => [name, value]),
) as Settings;

const MARKET: Market = {
  id: 'm',
  question: 'Will it happen?',
  event: null,
  outcomes: [{ outcome: 'Yes', tokenId: 't' }],
  negRisk: false,
  endDate: null,
  closed: false,
  acceptingOrders: true,
  tick: tickFromText('0.01'),
  minOrderSize: sharesFromText('5'),
  feeRate: fractionFromText('0.03'),
};

it('writes every price that has changed, and of those that stand still a hundred at a time', async () => {
  await using test = await openTestWorld('pglite');
  const { world, time } = test;
  const ledger = createPriceLedger(world, {
    settings: { current: () => DEFAULTS },
    stream: { publish: () => {}, watched: () => false },
    shares: onlyEngine().shares,
    onTrigger: {
      isReady: () => false,
      buy: () => ({ decide: async () => null, end: () => {} }),
    },
  });
  const drafts = Array.from({ length: ROWS }, (_, index) => {
    const market_combinations = [{ leg: 1, markets: [{ id: `m${index}`, outcome: 'Yes' }] }];
    const read = readDraft({ market_combinations, target_price: 0.01 });
    if (read.kind === 'refused') throw new Error(read.reason);
    return read.draft;
  });
  const { created } = await insertDrafts(world, drafts);
  const all = (await readOpportunities(world.db, [...created.values()])).map(track);
  const settle = async (tracked: Tracked, ask: string) => {
    const asks = [{ price: priceFromText(ask), size: sharesFromText('1000') }];
    const held = { book: { bids: [], asks }, feed: 'live' as const, ageMs: 0, venueTimestamp: world.clock.now() };
    const known = { tokenId: 't', market: MARKET, held, midpoint: null, lastTrade: null };
    const quotes = tracked.positions.map((position) => trustedQuote(position, known));
    await ledger.settle(tracked, quotes, { asked: false, mayTrigger: true });
  };
  const checkedNow = async () => {
    const rows = await readOpportunities(world.db, [...created.values()]);
    return rows.filter(({ lastChecked }) => lastChecked === world.clock.now()).length;
  };

  for (const tracked of all) await settle(tracked, '0.50');
  await ledger.flush();
  expect(await checkedNow()).toBe(ROWS);

  await time.advance(LATER_MS);
  for (const tracked of all) await settle(tracked, '0.50');
  await ledger.flush();
  expect(await checkedNow()).toBe(AT_ONCE);
  await ledger.flush();
  expect(await checkedNow()).toBe(ROWS);

  await time.advance(LATER_MS);
  for (const tracked of all) await settle(tracked, '0.51');
  await ledger.flush();
  expect(await checkedNow()).toBe(ROWS);
});
