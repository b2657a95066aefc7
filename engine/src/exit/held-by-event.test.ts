import { instantFromIso } from '@dutchbook/units/instant.ts';
import { sharesFromNumber } from '@dutchbook/units/shares.ts';
import { describe, expect, it } from 'vitest';
import type { Market } from '../market/market.ts';
import { bookOf, marketOf } from '../opportunity/quotes.fixture.ts';
import { heldByEvent } from './held-by-event.ts';

const EVENT = { id: 'cup', title: 'Who wins the cup?', negRisk: true, augmented: false, marketIds: ['a', 'b'] };
const of = (id: string, fields: Partial<Market> = {}) => marketOf(id, { event: EVENT, ...fields });
const held = (market: Market, side: 0 | 1, shares: number) => ({
  market,
  tokenId: market.outcomes[side]?.tokenId ?? '',
  shares: sharesFromNumber(shares),
  bids: bookOf([], [[0.4, 10]]).bids,
});

describe('what is held, event by event', () => {
  it('puts the tokens of an event together, which is complete where all of its markets are there', () => {
    const [a, b] = [of('a'), of('b')];
    const alone = marketOf('z', { event: null, question: 'Will it rain?' });
    const events = heldByEvent([held(a, 0, 5), held(alone, 0, 1), held(b, 1, 7), held(a, 1, 2)]);
    expect(events.map(({ id, title }) => [id, title])).toEqual([
      ['cup', 'Who wins the cup?'],
      ['z', 'Will it rain?'],
    ]);
    const [cup, rain] = events;
    expect(cup?.holding.structure).toEqual({ kind: 'negative_risk', feeBips: null, isComplete: true });
    expect(cup?.holding.members.map(({ tokens }) => tokens.map(({ shares }) => shares / 1e6))).toEqual([
      [5, 2],
      [0, 7],
    ]);
    expect(rain?.holding.structure).toEqual({ kind: 'markets' });
    expect(heldByEvent([held(a, 0, 5)])[0]?.holding.structure).toMatchObject({ isComplete: false });
  });

  it('is locked until the last of its markets ends, and for ever so long where one does not say', () => {
    const early = of('a', { endDate: instantFromIso('2027-01-01T00:00:00Z') });
    const late = of('b', { endDate: instantFromIso('2027-06-01T00:00:00Z') });
    expect(heldByEvent([held(early, 0, 1), held(late, 0, 1)])[0]?.lockedUntil).toBe(late.endDate);
    const open = of('b', { endDate: null });
    expect(heldByEvent([held(early, 0, 1), held(open, 0, 1)])[0]?.lockedUntil).toBeNull();
  });
});
