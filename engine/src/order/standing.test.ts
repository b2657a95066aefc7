import { instantFromMs } from '@dutchbook/units/instant.ts';
import { priceFromNumber } from '@dutchbook/units/price.ts';
import { sharesFromNumber } from '@dutchbook/units/shares.ts';
import { usdFromNumber } from '@dutchbook/units/usd.ts';
import { describe, expect, it } from 'vitest';
import { sentAttempt } from './attempt.fixture.ts';
import { ABSENCE_MS, TRADES_FOLLOW_MS } from './ending.ts';
import type { Fill, Settlement } from './fill.ts';
import { type OrderLookup, wordOf } from './lookup.ts';
import { isGoneBy, type Standing, standingOf } from './standing.ts';

type ShownStatus = Extract<OrderLookup, { kind: 'found' }>['order']['status'];

const NOW = instantFromMs(500_000);
const ago = (ms: number) => instantFromMs(NOW - ms);
const of = sharesFromNumber;

const shown = (status: ShownStatus, matched = 0): OrderLookup => ({
  kind: 'found',
  order: { status, matchedSize: of(matched) },
});
const byTrades = (matched: number): OrderLookup => ({
  kind: 'found',
  order: { status: 'matched', matchedSize: of(matched) },
  byTradesOnly: true,
});
const absent: OrderLookup = { kind: 'absent' };
const fill = (size: number, settlement: Settlement = 'matched', tradeId = 't1'): Fill => ({
  attemptId: 'a1',
  tradeId,
  price: priceFromNumber(0.4),
  size: of(size),
  cost: usdFromNumber(size * 0.4),
  fee: usdFromNumber(0),
  settlement,
});

type Case = {
  name: string;
  lookup: OrderLookup;
  matchedSize?: number;
  fills?: Fill[];
  goneForMs?: number;
  isReportedGone?: boolean;
  stands: Standing;
};

describe('where an order of ten shares stands', () => {
  it.each<Case>([
    { name: 'at rest', lookup: shown('open', 4), stands: { event: 'open', matchedSize: of(4), goneAt: null } },
    { name: 'held', lookup: shown('delayed'), stands: { event: 'delayed', matchedSize: of(0), goneAt: null } },
    {
      name: 'at rest, also where more was said to be matched before',
      lookup: shown('open', 4),
      matchedSize: 6,
      stands: { event: 'open', matchedSize: of(4), goneAt: null },
    },
    {
      name: 'at rest, a trade of it ahead of its count',
      lookup: shown('open', 1),
      fills: [fill(3)],
      stands: { event: 'open', matchedSize: of(3), goneAt: null },
    },
    {
      name: 'canceled by the word of the venue',
      lookup: shown('canceled', 4),
      stands: { event: 'canceled', matchedSize: of(4), goneAt: null },
    },
    {
      name: 'not valid by the word of the venue',
      lookup: shown('invalid'),
      stands: { event: 'canceled', matchedSize: of(0), goneAt: null },
    },
    {
      name: 'matched in full by its trades, whatever else is said',
      lookup: { kind: 'unknown', reason: 'reset' },
      fills: [fill(6), fill(4, 'confirmed', 't2')],
      stands: { event: 'matched', matchedSize: of(10) },
    },
    {
      name: 'unknown where the venue did not say',
      lookup: { kind: 'unknown', reason: 'reset' },
      fills: [fill(6)],
      stands: { unanswered: true },
    },
    {
      name: 'matched in full by its count, its trades on their way',
      lookup: shown('matched', 10),
      stands: { event: 'matched', matchedSize: of(10), goneAt: null },
    },
    {
      name: 'matched by trades of which one has failed to settle',
      lookup: absent,
      matchedSize: 3,
      fills: [fill(10, 'failed')],
      stands: { event: 'matched', matchedSize: of(10), goneAt: null },
    },
    {
      name: 'matched in part, its trades may still follow',
      lookup: shown('matched', 4),
      matchedSize: 5,
      stands: { event: 'open', matchedSize: of(5), goneAt: NOW },
    },
    {
      name: 'matched in part, its trades have followed',
      lookup: shown('matched', 4),
      goneForMs: TRADES_FOLLOW_MS,
      stands: { event: 'matched', matchedSize: of(4), goneAt: ago(TRADES_FOLLOW_MS) },
    },
    {
      name: 'reported by its trades alone, for the first time',
      lookup: byTrades(4),
      matchedSize: 4,
      fills: [fill(4)],
      stands: { event: 'open', matchedSize: of(4), goneAt: NOW },
    },
    {
      name: 'reported by its trades alone, for long',
      lookup: byTrades(4),
      matchedSize: 4,
      fills: [fill(4)],
      goneForMs: ABSENCE_MS,
      stands: { event: 'canceled', matchedSize: of(4), goneAt: ago(ABSENCE_MS) },
    },
    { name: 'not shown, for the first time', lookup: absent, matchedSize: 0, stands: { goneAt: NOW } },
    {
      name: 'not shown for long, after what was matched before',
      lookup: absent,
      matchedSize: 4,
      goneForMs: ABSENCE_MS,
      stands: { event: 'canceled', matchedSize: of(4), goneAt: ago(ABSENCE_MS) },
    },
    {
      name: 'reported gone, and not shown since its trades had time to follow',
      lookup: absent,
      matchedSize: 0,
      goneForMs: TRADES_FOLLOW_MS,
      isReportedGone: true,
      stands: { event: 'canceled', matchedSize: of(0), goneAt: ago(TRADES_FOLLOW_MS) },
    },
  ])('$name', ({ lookup, matchedSize, fills = [], goneForMs, isReportedGone = false, stands }) => {
    const attempt = sentAttempt({
      status: 'open',
      matchedSize: matchedSize === undefined ? null : of(matchedSize),
      goneAt: goneForMs === undefined ? null : ago(goneForMs),
    });
    expect(standingOf(attempt, lookup, fills, { isReportedGone, now: NOW })).toEqual(stands);
  });

  it('is not known of one that was never shown before it can have arrived', () => {
    const late = (msAgo: number) =>
      standingOf(sentAttempt({ sentAt: ago(msAgo) }), absent, [], { isReportedGone: false, now: NOW });
    expect([late(119_999), late(120_000)]).toEqual([{ goneAt: null }, { goneAt: NOW }]);
  });

  it('is counted from the first reading that lacks it where it was shown or reported gone before, however lately it was sent', () => {
    const sentAt = ago(1000);
    const shown = sentAttempt({ sentAt, matchedSize: of(0) });
    expect(standingOf(shown, absent, [], { isReportedGone: false, now: NOW })).toEqual({ goneAt: NOW });
    expect(standingOf(sentAttempt({ sentAt }), absent, [], { isReportedGone: true, now: NOW })).toEqual({
      goneAt: NOW,
    });
  });
});

describe('the answer to a cancellation', () => {
  it('says that nothing is left, also where there was nothing to cancel, but not of an order that may be delayed', () => {
    expect([isGoneBy('canceled', 'open'), isGoneBy('canceled', 'delayed')]).toEqual([true, true]);
    expect([isGoneBy('refused', 'open'), isGoneBy('refused', 'delayed')]).toEqual([true, false]);
    expect([isGoneBy('unknown', 'open'), isGoneBy(null, 'open')]).toEqual([false, false]);
  });
});

describe('what the venue says when asked by the hash', () => {
  it.each<[OrderLookup & { kind: 'found' | 'absent' }, string]>([
    [{ kind: 'absent' }, 'absent'],
    [{ kind: 'found', order: { status: 'open', matchedSize: of(0) }, byTradesOnly: true }, 'traded'],
    ...(['open', 'delayed', 'matched'] as const).map(
      (status) =>
        [{ kind: 'found' as const, order: { status, matchedSize: of(0) } }, status] as [
          OrderLookup & { kind: 'found' },
          string,
        ],
    ),
    [{ kind: 'found', order: { status: 'canceled', matchedSize: of(0) } }, 'ended'],
    [{ kind: 'found', order: { status: 'invalid', matchedSize: of(0) } }, 'ended'],
  ])('%j is %s', (lookup, word) => {
    expect(wordOf(lookup)).toBe(word);
  });
});
