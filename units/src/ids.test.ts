import { expect, test } from 'vitest';
import { ID_MAX_LENGTH, idAt, type MarketId, type TokenId, venueOf, whyNoId, withoutVenue } from './ids.ts';

const POLYMARKET = `0x${'a1'.repeat(32)}`;
const KALSHI = 'kalshi:KXHIGHNY-26NOV30-B41.5:yes';

test('an id says of which venue it is, and without a prefix it is of Polymarket', () => {
  expect([POLYMARKET, '7'.repeat(78), '', KALSHI].map(venueOf)).toEqual([
    'polymarket',
    'polymarket',
    'polymarket',
    'kalshi',
  ]);
  expect(['kalshi', 'kalshiX', 'xkalshi:a', 'KALSHI:a'].map(venueOf)).toEqual(Array(4).fill('polymarket'));
});

test('an id is made of what the venue calls it, and gives that back', () => {
  expect(idAt('kalshi', 'KXHIGHNY-26NOV30-B41.5:yes')).toBe(KALSHI);
  expect(withoutVenue(KALSHI)).toBe('KXHIGHNY-26NOV30-B41.5:yes');
  expect(idAt('polymarket', POLYMARKET)).toBe(POLYMARKET);
  expect(withoutVenue(POLYMARKET)).toBe(POLYMARKET);
});

test('what can be no id is refused with the rule that it breaks', () => {
  expect([POLYMARKET, KALSHI, 'a'.repeat(ID_MAX_LENGTH)].map(whyNoId)).toEqual([null, null, null]);
  expect(whyNoId('')).toBe('must not be empty');
  expect(whyNoId('a'.repeat(ID_MAX_LENGTH + 1))).toBe('must have at most 200 characters');
  for (const text of ['a b', 'a\n', "a'", 'ä', 'a?b', '‮a']) expect(whyNoId(text)).toMatch(/^must be of letters/);
  for (const text of ['other:a', 'polymarket:0xa1', ':a']) expect(whyNoId(text)).toMatch(/^must begin with a venue/);
  expect(whyNoId('kalshi:')).toBe('must have a name behind its venue');
});

test('an id of one kind does not pass as one of another, and a plain text passes as any', () => {
  const passes: {
    marketAsToken: MarketId extends TokenId ? true : false;
    textAsMarket: string extends MarketId ? true : false;
  } = {
    marketAsToken: false,
    textAsMarket: true,
  };
  expect(passes.marketAsToken).toBe(false);
});
