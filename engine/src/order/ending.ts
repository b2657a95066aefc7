/** When an order that the venue took is proven to have ended, from what was read of it. */
import type { Instant } from '@dutchbook/units/instant.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import { isShortByLittle } from './life.ts';

/**
 * What a reading of the order itself, of the open orders and of the trades found. `absent`: none of them has it.
 * `traded`: only trades still tell of it. `matched` and `ended` (canceled, invalid): the venue's own word on the order.
 */
export type OrderWord = 'open' | 'delayed' | 'matched' | 'ended' | 'absent' | 'traded';

/** A venue can be this slow to show an order that it was sent: only then its absence proves anything. */
export const ARRIVAL_MAX_MS = 120_000;
/** Trades of an order that the venue has taken off its books are all reported within this. */
export const TRADES_FOLLOW_MS = 10_000;
/** For this long nothing may show an order whose end was not reported: longer than any delay window and the trades after it. */
export const ABSENCE_MS = 30_000;

export type EndingInput = {
  word: OrderWord;
  size: Shares;
  /** The most that the venue says, or its trades show, it matched; trades that failed to settle count. */
  matched: Shares;
  sentAt: Instant;
  /** An earlier reading has shown the order, or matched shares of it. */
  wasShown: boolean;
  /** The venue said that nothing of it is left: it canceled it, had nothing to cancel, or reported its cancellation. */
  isReportedGone: boolean;
  /** The first of the readings since the last that showed it resting or delayed. */
  goneAt: Instant | null;
  /** The trades were read at this moment, after the order. */
  now: Instant;
};

/** `goneAt` is to be kept for the next reading. */
export type Ending = { end: 'matched' | 'canceled' | null; goneAt: Instant | null };

/**
 * An order has ended with what is matched so far when, with its trades read after it,
 * - the venue says so of the order itself, or all but less than a hundredth of a share of it is matched and it does not
 *   rest; or
 * - nothing has shown it resting or delayed for `TRADES_FOLLOW_MS`, and the venue says that it is matched or gone; or
 * - nothing has shown it resting or delayed for `ABSENCE_MS`, after an earlier reading had shown it, or from
 *   `ARRIVAL_MAX_MS` after it was sent: before, it may not have arrived.
 * One reading that shows it begins all of that anew.
 */
export function endingOf(inputs: EndingInput): Ending {
  const { word, size, matched, now } = inputs;
  if (word === 'open' || word === 'delayed') return { end: null, goneAt: null };
  if (word === 'ended') return { end: 'canceled', goneAt: inputs.goneAt };
  if (isShortByLittle(size, matched)) return { end: 'matched', goneAt: inputs.goneAt };
  const isReported = word === 'matched' || inputs.isReportedGone;
  if (!isReported && !inputs.wasShown && now - inputs.sentAt < ARRIVAL_MAX_MS) return { end: null, goneAt: null };
  const goneAt = inputs.goneAt ?? now;
  const hasEnded = now - goneAt >= (isReported ? TRADES_FOLLOW_MS : ABSENCE_MS);
  return { end: hasEnded ? (word === 'matched' ? 'matched' : 'canceled') : null, goneAt };
}
