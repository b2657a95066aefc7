import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { usdFromNumber } from '@dutchbook/units/usd.ts';
import { expect, it } from 'vitest';
import { judgeCashMove, type PocketsOfMove, SHOWN_WITHIN_MS, whyNotMoved } from './cash-move.ts';

const SENT: Instant = instantFromMs(1_000_000);
const pockets = (from: number, to: number): PocketsOfMove => ({ from: usdFromNumber(from), to: usdFromNumber(to) });
const sent = { amount: usdFromNumber(40), before: pockets(100, 5), sentAt: SENT };
const judge = (isTaken: boolean, now: PocketsOfMove | null, afterMs = 1, holdsOrders = true) =>
  judgeCashMove({ ...sent, isTaken, holdsOrders }, now, instantFromMs(SENT + afterMs));

it('a move is made once the destination has gained it, and without the word of the venue the source has lost it', () => {
  for (const isTaken of [true, false]) {
    expect(judge(isTaken, pockets(60, 45))).toBe('made');
    expect(judge(isTaken, pockets(60, 5))).toBe('waiting');
    expect(judge(isTaken, pockets(100, 5))).toBe('waiting');
    expect(judge(isTaken, null)).toBe('waiting');
    expect(judge(isTaken, pockets(60, 44.99))).toBe('waiting');
  }
  // A payout may be what has come.
  expect(judge(false, pockets(100, 45))).toBe('waiting');
  expect(judge(true, pockets(100, 45))).toBe('waiting');
  // A payout may have come to the source meanwhile.
  expect(judge(true, pockets(90, 45))).toBe('made');
  // Or to the destination.
  expect(judge(false, pockets(60, 52.5))).toBe('made');
  // What was both spent and paid out by something else is another amount.
  expect(judge(false, pockets(55, 52.5))).toBe('waiting');
});

it('once orders go on beside it a move is proven to the cent or not at all, whatever is spent and paid out', () => {
  for (const isTaken of [true, false]) {
    const later = (from: number, to: number) => judge(isTaken, pockets(from, to), SHOWN_WITHIN_MS, false);
    for (const [from, to] of [
      [20, 90],
      [60, 52.5],
      [55, 45],
      [90, 45],
    ] as const)
      expect(later(from, to)).toBe('unknown');
    expect(later(60, 45)).toBe('made');
  }
});

it('a move that is not shown in time is unknown, however long nothing changes, and still proven by what shows later', () => {
  expect(judge(true, pockets(60, 5), SHOWN_WITHIN_MS - 1)).toBe('waiting');
  for (const now of [pockets(60, 5), pockets(100, 5), null])
    expect([judge(true, now, SHOWN_WITHIN_MS), judge(false, now, 30 * SHOWN_WITHIN_MS)]).toEqual([
      'unknown',
      'unknown',
    ]);
  expect(judge(false, pockets(60, 45), 30 * SHOWN_WITHIN_MS)).toBe('made');
});

it('nothing is moved out of a pocket that has less, nor where transfers are halted, nor between pockets that are not known', () => {
  const pocket = (name: string, cash: number | undefined, takesMoves = true) => ({
    ...{ name, takesMoves },
    cash: cash === undefined ? undefined : usdFromNumber(cash),
  });
  const why = (from: ReturnType<typeof pocket> | undefined, to: ReturnType<typeof pocket> | undefined) =>
    whyNotMoved(usdFromNumber(40), from, to);
  expect(why(pocket('0', 40), pocket('2', 0))).toBeNull();
  expect(why(pocket('0', 39.99), pocket('2', 0))).toBe('shard 0 has $39.99, and $40.00 were to be moved');
  expect(why(pocket('0', 40), pocket('2', 0, false))).toBe('shard 2 takes no transfers now');
  expect(why(pocket('0', 40, false), pocket('2', 0))).toBe('shard 0 takes no transfers now');
  expect(why(pocket('0', undefined), pocket('2', 0))).toBe('the cash of both shards is not known');
  expect(why(undefined, pocket('2', 0))).toBe('the venue does not name both shards');
});
