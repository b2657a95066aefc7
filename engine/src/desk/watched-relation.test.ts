import { describe, expect, it } from 'vitest';
import { bookOf, feeOf } from '../opportunity/quotes.fixture.ts';
import { relationOf } from '../relation/relation.fixture.ts';
import { assessRelation, boundsOf, profitNow, type WatchedMember } from './watched-relation.ts';

type Levels = Parameters<typeof bookOf>[0];
type Seen = { asks: Levels; bids: Levels; ageMs?: number };

/** The relation "exactly one of them happens", and the books of its members in their order. */
function watched(books: readonly (Seen | undefined)[], changes: readonly Partial<WatchedMember>[] = []) {
  const row = relationOf('exactly_one', 'o'.repeat(books.length));
  const members = row.members.map(
    ({ marketId }, place): WatchedMember => ({
      ...{ marketId, tokenId: marketId, name: `name of ${marketId}`, outcomes: ['Yes', 'No'] },
      ...{ feeSchedule: feeOf(0.04), resolved: null },
      ...changes[place],
    }),
  );
  const byToken = new Map(books.map((seen, place) => [`m${place + 1}`, seen]));
  const lookUp = (tokenId: string) => {
    if (!byToken.has(tokenId)) throw new Error(`a book is asked for of ${tokenId}, which is no token`);
    const seen = byToken.get(tokenId);
    return seen === undefined ? undefined : { book: bookOf(seen.asks, seen.bids), ageMs: seen.ageMs ?? 0 };
  };
  return { relation: { row, members }, lookUp };
}

const seen = (ask: number, bid: number, ageMs = 0): Seen => ({ asks: [[ask, 100]], bids: [[bid, 100]], ageMs });
/** Three that cost 0.925 dollars with their fees and pay one. */
const PAYING = [seen(0.3, 0.28, 20), seen(0.25, 0.15, 700), seen(0.35, 0.34, 300)];

describe('what the books of a relation say of it', () => {
  it('prices the basket that pays, leg by leg, and says what it makes at its best size', () => {
    const { relation, lookUp } = watched(PAYING);
    const { found, ...assessed } = assessRelation(relation, lookUp);
    expect(found.map(({ profit, size }) => ({ profit, size }))).toEqual([{ profit: 7_500_000, size: 100_000_000 }]);
    expect(assessed).toEqual({
      ...{ distance: -75_000, distanceWithVoids: expect.any(Number), limitedBy: 'leg 2: name of m2' },
      ...{ profit: 7_500_000, size: 100_000_000, quoted: 3, oldestBookMs: 700 },
      basket: {
        ...{ direction: 'yes', payout: 1_000_000, payoutWithVoids: expect.any(Number) },
        legs: [
          { member: 0, outcome: 0, price: 300_000, fee: 8_400 },
          { member: 1, outcome: 0, price: 250_000, fee: 7_500 },
          { member: 2, outcome: 0, price: 350_000, fee: 9_100 },
        ],
      },
    });
    const { basket, distanceWithVoids } = assessed;
    expect(distanceWithVoids).toBe(925_000 - (basket?.payoutWithVoids ?? 0));
  });

  it('says how far the nearest basket is from paying where none pays', () => {
    const { relation, lookUp } = watched(
      [seen(0.5, 0.4), seen(0.6, 0.3)],
      [{ feeSchedule: feeOf(0) }, { feeSchedule: feeOf(0) }],
    );
    expect(assessRelation(relation, lookUp)).toMatchObject({
      ...{
        found: [],
        distance: 100_000,
        limitedBy: 'leg 2: name of m2',
        profit: 0,
        size: 0,
        quoted: 2,
        oldestBookMs: 0,
      },
      basket: {
        direction: 'yes',
        legs: [
          { price: 500_000, fee: 0 },
          { price: 600_000, fee: 0 },
        ],
      },
    });
  });

  it('finds nothing where a basket costs what it pays', () => {
    const free = { feeSchedule: feeOf(0) };
    const { relation, lookUp } = watched([seen(0.5, 0.4), seen(0.5, 0.4)], [free, free]);
    expect(assessRelation(relation, lookUp)).toMatchObject({ found: [], distance: 0, profit: 0, size: 0 });
  });

  it('takes the direction that is nearest, at what the other outcome costs', () => {
    const free = { feeSchedule: feeOf(0) };
    const { relation, lookUp } = watched([seen(0.9, 0.6), seen(0.9, 0.7)], [free, free]);
    expect(assessRelation(relation, lookUp)).toMatchObject({
      ...{ distance: -300_000, profit: 30_000_000, limitedBy: 'leg 1: name of m1' },
      basket: {
        direction: 'no',
        legs: [
          { outcome: 1, price: 400_000 },
          { outcome: 1, price: 300_000 },
        ],
      },
    });
  });

  it('takes the nearest direction also where neither pays, and the widest leg of it by prices up to a dollar', () => {
    const free = { feeSchedule: feeOf(0) };
    const { relation, lookUp } = watched([{ asks: [], bids: [[0.5, 100]] }, seen(0.8, 0.45)], [free, free]);
    expect(assessRelation(relation, lookUp)).toMatchObject({ distance: 50_000, limitedBy: 'leg 1: name of m1' });
    const other = watched([{ asks: [], bids: [[0.7, 100]] }, seen(0.8, 0.25)], [free, free]);
    expect(assessRelation(other.relation, other.lookUp)).toMatchObject({ limitedBy: 'leg 2: name of m2' });
    const dear = watched([seen(0.9, 0.45), seen(0.8, 0.45)], [free, free]);
    expect(assessRelation(dear.relation, dear.lookUp)).toMatchObject({
      distance: 100_000,
      basket: { direction: 'no' },
    });
  });

  it('finds the only basket that its books offer', () => {
    const { relation, lookUp } = watched([
      { asks: [[0.4, 10]], bids: [] },
      { asks: [[0.4, 10]], bids: [] },
    ]);
    expect(assessRelation(relation, lookUp).found).toHaveLength(1);
  });

  it('knows no basket where what has resolved contradicts the relation', () => {
    const happened = { resolved: 1_000_000 as WatchedMember['resolved'] };
    const { relation, lookUp } = watched([undefined, undefined, seen(0.3, 0.2), seen(0.3, 0.2)], [happened, happened]);
    expect(assessRelation(relation, lookUp)).toMatchObject({ found: [], distance: null, basket: null });
  });

  it('knows nothing where no book can be trusted', () => {
    const { relation, lookUp } = watched([undefined, undefined], [{ tokenId: null }]);
    expect(assessRelation(relation, lookUp)).toEqual({
      ...{ found: [], distance: null, distanceWithVoids: null, limitedBy: null, profit: 0, size: 0 },
      ...{ quoted: 0, oldestBookMs: null, basket: null },
    });
  });

  it.each<{ what: string; first: Seen | undefined; change?: Partial<WatchedMember>; quoted: number }>([
    { what: 'both sides', first: seen(0.3, 0.2), quoted: 2 },
    { what: 'no asks', first: { asks: [], bids: [[0.2, 10]] }, quoted: 1 },
    { what: 'no bids', first: { asks: [[0.3, 10]], bids: [] }, quoted: 1 },
    { what: 'no book', first: undefined, quoted: 1 },
    { what: 'a fee that is not known', first: seen(0.3, 0.2), change: { feeSchedule: null }, quoted: 1 },
    { what: 'no token', first: seen(0.3, 0.2), change: { tokenId: null }, quoted: 1 },
  ])('counts a member with $what as quoted or not', ({ first, change = {}, quoted }) => {
    const { relation, lookUp } = watched([first, seen(0.4, 0.3)], [change]);
    expect(assessRelation(relation, lookUp).quoted).toBe(quoted);
  });

  it('lets a member that has resolved stand at its value, of no age and no fee', () => {
    const { relation, lookUp } = watched(
      [undefined, seen(0.3, 0.2, 40), seen(0.4, 0.35, 30)],
      [{ resolved: 0 as WatchedMember['resolved'], tokenId: null }],
    );
    const { found, oldestBookMs, limitedBy } = assessRelation(relation, lookUp);
    expect(found).toHaveLength(1);
    expect({ oldestBookMs, limitedBy }).toEqual({ oldestBookMs: 40, limitedBy: 'leg 2: name of m2' });
    const listed = watched([undefined, seen(0.3, 0.2, 40), seen(0.4, 0.35, 30)], [{ resolved: 0 as never }]);
    expect(assessRelation(listed.relation, listed.lookUp)).toMatchObject({ found: [{}], oldestBookMs: 40 });
    const [first, second] = relation.members;
    expect(first && boundsOf(first, lookUp)).toEqual({ low: 0, high: 0 });
    expect(second && boundsOf(second, lookUp).high).toBe(308_400);
  });

  it('says what a basket makes by the books of now, and nothing where a leg is gone', () => {
    const { relation, lookUp } = watched(PAYING);
    const [hit] = assessRelation(relation, lookUp).found;
    if (hit === undefined) throw new Error('There is no basket that pays.');
    expect(profitNow(relation, hit.basket, lookUp)).toBe(7_500_000);
    expect(profitNow(relation, hit.basket, (tokenId) => (tokenId === 'm2' ? undefined : lookUp(tokenId)))).toBe(0);
  });
});
