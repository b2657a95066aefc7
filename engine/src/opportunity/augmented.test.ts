import { describe, expect, it } from 'vitest';
import type { Market } from '../market/market.ts';
import { coversOnlyListed, quotesCoverOnlyListed } from './augmented.ts';
import { eventOf, marketOf, quoteOf } from './quotes.fixture.ts';

const augmented = eventOf({ id: 'who', augmented: true, marketIds: ['a', 'b', 'c'] });
const complete = eventOf({ id: 'which', augmented: false, marketIds: ['x', 'y'] });
const markets = new Map<string, Market>([
  ...['a', 'b', 'c'].map((id) => [id, marketOf(id, { event: augmented })] as const),
  ...['x', 'y'].map((id) => [id, marketOf(id, { event: complete })] as const),
  ['alone', marketOf('alone')],
]);

/** `a:Yes b:No`, each in a leg of its own. */
const positions = (text: string) =>
  text.split(' ').map((position, index) => {
    const [marketId = '', outcome = ''] = position.split(':');
    return { leg: index + 1, marketId, outcome };
  });

describe('a set on an augmented event', () => {
  it.each([
    { set: 'a:Yes b:Yes c:Yes', only: true, why: 'pays nothing if the unlisted outcome comes true' },
    { set: 'missing:Yes a:Yes b:Yes', only: true, why: 'is not saved by a market that is not known' },
    { set: 'a:Yes b:Yes', only: true, why: 'is on listed outcomes only' },
    { set: 'a:Yes b:Yes alone:No', only: true, why: 'is not saved by another event' },
    { set: 'a:No b:No c:No', only: false, why: 'pays even more if the unlisted outcome comes true' },
    { set: 'a:Yes a:No', only: false, why: 'is complete in one market' },
    { set: 'a:Yes alone:No', only: false, why: 'does not combine outcomes of the event' },
    { set: 'x:Yes y:Yes', only: false, why: 'is on an event that lists all its outcomes' },
    {
      set: 'a:Yes a:No b:Yes',
      only: false,
      why: 'pays as much if the unlisted outcome comes true as if the first does',
    },
    { set: 'a:Yes b:No', only: false, why: 'pays even less if the second outcome comes true' },
    { set: 'a:Yes b:Yes c:Maybe', only: true, why: 'is judged by the positions that stand for a token' },
    { set: 'a:Maybe b:Yes missing:Yes', only: false, why: 'has but one position that stands for a token' },
  ])('$set $why', ({ set, only }) => {
    expect(coversOnlyListed(positions(set), markets)).toBe(only);
    const quotes = positions(set).map(({ leg, ...position }) =>
      quoteOf(leg, [], { ...position, market: markets.get(position.marketId) }),
    );
    expect(quotesCoverOnlyListed(quotes)).toBe(only);
  });
});
