import type { MarketId } from '@dutchbook/units/ids.ts';
import { priceFromText } from '@dutchbook/units/price.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import { usdFromText } from '@dutchbook/units/usd.ts';
import { expect, it } from 'vitest';
import { eventWorth } from './event-worth.ts';

const held = (event_id: string, ...markets: string[]) => markets.map((market_id) => ({ market_id, event_id }));
const sets = (usd: string, ...markets: string[]) => ({ markets: markets as MarketId[], usd: usdFromText(usd) });
const loose = (market: string, shares: string, boughtFor: string | null = null) => ({
  position: { marketId: market as MarketId, outcome: 'Yes' },
  ...{ shares: sharesFromText(shares), price: priceFromText('0.5'), resolvedValue: null },
  boughtFor: boughtFor === null ? null : usdFromText(boughtFor),
});

it('gives each event its part of what whole sets pay and of what other shares are worth', () => {
  const holdings = [...held('cup', 'a', 'b', 'c'), ...held('rain', 'd', 'e'), ...held('vote', 'f')];
  const locked = [sets('100', 'a', 'b', 'c'), sets('40', 'a', 'b'), sets('7', 'd', 'e'), sets('0', 'd', 'f')];
  const worthOf = eventWorth(holdings, locked, [loose('a', '40'), loose('d', '4', '1.9')]);
  expect(worthOf('cup')).toEqual({ locked_usd: usdFromText('140'), loose_usd: usdFromText('20') });
  expect(worthOf('rain')).toEqual({ locked_usd: usdFromText('7'), loose_usd: usdFromText('1.9') });
  expect(worthOf('vote')).toEqual({ locked_usd: 0, loose_usd: 0 });
});

it('says of no event alone what sets pay that reach over several', () => {
  const holdings = [...held('cup', 'a'), ...held('rain', 'd')];
  for (const locked of [
    [sets('5', 'a', 'd'), sets('9', 'a')],
    [sets('9', 'a'), sets('5', 'a', 'd')],
  ])
    expect(eventWorth(holdings, locked, [])('cup').locked_usd).toBeNull();
});
