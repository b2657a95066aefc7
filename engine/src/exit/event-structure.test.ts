import { PRICE_ONE, PRICE_ZERO, priceFromText } from '@dutchbook/units/price.ts';
import { sharesFromNumber } from '@dutchbook/units/shares.ts';
import { describe, expect, it } from 'vitest';
import { marketOf } from '../opportunity/quotes.fixture.ts';
import { eventOf, exclusiveOf, memberOf } from '../relation/catalogue-event.fixture.ts';
import type { Strike } from '../relation/catalogue-event.ts';
import { balancesOf, payoutRange } from './event-holding.ts';
import { wholeHolding } from './event-structure.ts';

const held = (marketId: string, side: 'yes' | 'no') => ({
  market: marketOf(marketId),
  tokenId: `${marketId}:${side}`,
  shares: sharesFromNumber(10),
  bids: null,
});

/** Ranges of one variable with lines between them, as a contract counts them; its void is not listed. */
function variable(ranges: readonly number[], lines: readonly number[], arity = ranges.length) {
  const strikes: [name: string, strike: Strike][] = [
    ...lines.map((floor): [string, Strike] => [`above ${floor}`, { kind: 'above', floor, hasFloor: true }]),
    ...ranges.map((floor): [string, Strike] => [
      `range ${floor}`,
      { kind: 'between', floor, cap: floor + 1, hasFloor: true, hasCap: false },
    ]),
  ];
  const members = strikes.map(([name, strike], memberIndex) => memberOf(name, { memberIndex, arity, strike }));
  const voided: Strike = { kind: 'below', cap: 0, hasCap: false };
  const unlisted = memberOf('void', { memberIndex: arity, arity, strike: voided, tokenIds: [] });
  return eventOf([...members.toReversed(), unlisted], { nested: 'enforced' });
}

/** Members of Protocol V2, of an event that counts so many with a name. */
const counted = (arity: number, places: readonly number[]) =>
  eventOf(
    places.map((memberIndex) => memberOf(`m${memberIndex}`, { memberIndex, arity })),
    { exclusive: 'enforced' },
  );

describe('the members of an event that its contract converts into one another', () => {
  it('are all of them, those that nothing is held of too, with what converting takes', () => {
    const holding = wholeHolding(exclusiveOf(['a', 'b', 'c']), [held('b', 'no')], 50);
    expect(holding?.structure).toEqual({ kind: 'negative_risk', feeBips: 50, isComplete: true });
    expect(holding?.members.map(({ tokens }) => tokens.map(({ shares }) => shares))).toEqual([
      [0, 0],
      [0, 10_000_000],
      [0, 0],
    ]);
    // What is not held is not sold.
    expect(holding?.members[0]?.market).toMatchObject({ id: 'a', closed: true, acceptingOrders: false });
  });

  it('are not a complete set where something that is not listed may come true', () => {
    const holding = wholeHolding(exclusiveOf(['a', 'b'], { augmented: true }), [held('a', 'no')], 0);
    expect(holding?.structure).toMatchObject({ isComplete: false });
  });

  it('pay for certain where the only one that is not held has lost already, and not where it is open', () => {
    const event = (c: object) =>
      eventOf([memberOf('a'), memberOf('b'), memberOf('c', c)], { exclusive: 'enforced', augmented: false });
    const range = (c: object) => {
      const holding = wholeHolding(event(c), [held('a', 'yes'), held('b', 'yes')], 0);
      return holding === null ? null : payoutRange(holding, balancesOf(holding));
    };
    expect(range({})).toEqual({ least: 0, most: 10_000_000 });
    expect(range({ closed: true, resolvedValue: PRICE_ZERO })).toEqual({ least: 10_000_000, most: 10_000_000 });
    expect(range({ closed: true, resolvedValue: PRICE_ONE })).toEqual({ least: 0, most: 0 });
    // Voided: half of each, which rules nothing out.
    expect(range({ closed: true, resolvedValue: priceFromText('0.5') })).toEqual({ least: 0, most: 10_000_000 });
  });

  it('stand in the order of the contract, whatever the order of the page', () => {
    const holding = wholeHolding(counted(2, [2, 0, 1]), [held('m1', 'yes')], 0);
    expect(holding).toMatchObject({ structure: { kind: 'whole_event' } });
    expect(holding?.members.map(({ market }) => market.id)).toEqual(['m0', 'm1', 'm2']);
  });

  it('are lines of one variable, lowest first, and all its ranges, where the contract says so', () => {
    const event = variable([0, 1, 2, 3], [1, 3]);
    const holding = wholeHolding(event, [held('above 1', 'yes'), held('above 3', 'no')], null);
    expect(holding?.structure).toEqual({ kind: 'thresholds', lines: [1, 3] });
    expect(holding?.members.map(({ market }) => market.id)).toEqual([
      ...['above 1', 'above 3', 'range 0', 'range 1', 'range 2', 'range 3'],
    ]);
    expect(wholeHolding({ ...event, nested: 'declared' }, [held('above 1', 'yes')], null)).toBeNull();
  });

  it.each([
    ['with a range that is not listed', variable([0, 1, 3], [1], 4)],
    ['with a line behind its ranges', variable([0, 1], [1, 2])],
  ])('are no lines of one variable %s', (_which, event) => {
    expect(wholeHolding(event, [held('above 1', 'yes')], null)).toBeNull();
  });

  it.each([
    ['one that its contract does not hold together', eventOf(['a', 'b'])],
    ['one of which only a page of markets was read', exclusiveOf(['a', 'b'], { isWhole: false })],
    ['one of Protocol V2 that does not list the member for all others', counted(2, [0, 1])],
    ['one with a member whose tokens are not known', exclusiveOf([memberOf('a', { tokenIds: [] }), 'b'])],
    ['one that does not name a token which is held', exclusiveOf(['b', 'c'])],
  ])('are nothing of %s', (_which, event) => {
    expect(wholeHolding(event, [held('a', 'no')], 0)).toBeNull();
  });
});
