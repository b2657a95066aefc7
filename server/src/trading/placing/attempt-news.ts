/** What the venue's answers say about an attempt: pure judgements, recorded by the step that asked. */
import { SUCCESS_MARKER } from '@dutchbook/contract/orders.ts';
import { collapseFills, type Fill } from '@dutchbook/engine/order/fill.ts';
import {
  type AttemptEvent,
  attemptAfter,
  filledSize,
  hasAttemptEnded,
  turnedAway,
} from '@dutchbook/engine/order/life.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { addShares, SHARES_ZERO, type Shares } from '@dutchbook/units/shares.ts';
import type { CancelOutcome, OrderLookup, PostOutcome, VenueFill, VenueOrderStatus } from '@dutchbook/venues/venue.ts';
import type { AttemptRecord } from './batch-state.ts';

/** An order that the venue does not have is posted again for this long; later its price is nobody's decision any more. */
export const POST_AGAIN_FOR_MS = 60_000;
/** A venue can be this slow to show an order that it was sent: only then its absence proves that it never arrived. */
const ARRIVAL_MAX_MS = 120_000;
/** The last copy may have left as late as copies are posted. */
const ABSENT_FOR_MS = POST_AGAIN_FOR_MS + ARRIVAL_MAX_MS;
/** Trades of an order that the venue has taken off its books are all reported within this. */
const TRADES_FOLLOW_MS = 10_000;

/** What was learned of one attempt; `matchedSize` is the venue's own count, `fills` every trade it told of. */
export type AttemptNews = {
  attemptId: string;
  event?: AttemptEvent;
  reason?: string | null;
  matchedSize?: Shares;
  fills?: readonly (Fill & { orderHash: string; matchedAt: Instant })[];
  /** The venue was asked whether it has the order, and this is what it said. */
  lookedUp?: { at: Instant; answer: string };
  goneAt?: Instant | null;
  /** Its post was turned away unread: it has still to be sent. */
  turnedAway?: true;
  /** The venue did not say where the order stands: it has still to be asked. */
  unanswered?: true;
};

export function newsOfPost(attempt: AttemptRecord, outcome: PostOutcome | undefined): AttemptNews {
  if (outcome === undefined)
    return { attemptId: attempt.id, reason: inDoubt('the venue did not answer for this order') };
  if (outcome.kind === 'refused') return { attemptId: attempt.id, event: 'refused', reason: outcome.reason };
  if (outcome.kind === 'turned_away')
    return {
      attemptId: attempt.id,
      turnedAway: true,
      reason: `Not sent yet, the venue wants fewer calls: ${outcome.reason}`,
    };
  if (outcome.kind === 'unknown') return { attemptId: attempt.id, reason: inDoubt(outcome.reason) };
  return { attemptId: attempt.id, event: outcome.status === 'delayed' ? 'delayed' : 'open', reason: null };
}

/** A refusal of a copy proves nothing about the one before it, which may still be on its way. */
export function newsOfCopy(attempt: AttemptRecord, outcome: PostOutcome | undefined): AttemptNews {
  if (outcome?.kind !== 'refused' && outcome?.kind !== 'turned_away') return newsOfPost(attempt, outcome);
  return { attemptId: attempt.id, reason: inDoubt(`a copy was refused: ${outcome.reason}`) };
}

export function newsOfLookup(attempt: AttemptRecord, lookup: OrderLookup | undefined, at: Instant): AttemptNews {
  if (lookup?.kind === 'found') {
    const event = lookup.order.status === 'delayed' ? 'delayed' : 'open';
    const reason = attempt.reason === null ? null : `${SUCCESS_MARKER} It stands, and was in doubt. ${attempt.reason}`;
    return { attemptId: attempt.id, event, reason, lookedUp: { at, answer: 'It has the order' } };
  }
  if (lookup?.kind === 'absent') {
    const lookedUp = { at, answer: 'It does not have the order' };
    if (at - firstSentAt(attempt) < ABSENT_FOR_MS) return { attemptId: attempt.id, lookedUp };
    const reason = `It never reached the venue. ${attempt.reason ?? ''}`.trim();
    return { attemptId: attempt.id, event: 'failed', reason, lookedUp };
  }
  const silence = lookup === undefined ? 'no answer' : lookup.reason;
  return { attemptId: attempt.id, lookedUp: { at, answer: `It did not say: ${silence}` }, unanswered: true };
}

export function firstSentAt({ sentAt, createdAt }: AttemptRecord): Instant {
  return sentAt ?? createdAt;
}

type Standing = Pick<AttemptNews, 'event' | 'matchedSize' | 'goneAt' | 'unanswered'>;

/**
 * Where an attempt stands by what was read of it, and by what became of canceling it where that was asked. A venue
 * forgets orders that are done, and then shows only their trades. Such an order ends when its trades, also those that
 * failed to settle, add up to it, or a while after the venue had nothing of it left to cancel; until then more trades of
 * it may turn up, and what was said of it before still holds.
 */
export function standingOf(
  attempt: AttemptRecord,
  lookup: OrderLookup,
  fills: readonly Fill[],
  { canceled, now }: { canceled: CancelOutcome['kind'] | null; now: Instant },
): Standing {
  const filled = filledSize(fills);
  const told = lookup.kind === 'found' ? lookup.order.matchedSize : SHARES_ZERO;
  const isShown = lookup.kind === 'found' && lookup.order.status !== 'matched';
  const toldBefore = isShown ? SHARES_ZERO : (attempt.matchedSize ?? SHARES_ZERO);
  const matchedSize = Math.max(told, toldBefore, filled) as Shares;
  if (filled >= attempt.size) return { event: 'matched', matchedSize };
  if (lookup.kind === 'unknown') return { unanswered: true };
  if (lookup.kind === 'found' && lookup.order.status !== 'matched')
    return { event: EVENT_OF_STATUS[lookup.order.status], matchedSize, goneAt: null };
  const traded = collapseFills(fills).reduce((sum, { size }) => addShares(sum, size), SHARES_ZERO);
  if (Math.max(told, traded) >= attempt.size) return { event: 'matched', matchedSize: attempt.size };
  if (canceled === 'canceled' || canceled === 'refused') return goneSince(attempt, matchedSize, now);
  return lookup.kind === 'found' ? { event: 'open', matchedSize } : {};
}

/** Nothing of it rests: it has ended, but its last trades may not have been reported. */
function goneSince(attempt: AttemptRecord, matchedSize: Shares, now: Instant): Standing {
  const goneAt = attempt.goneAt ?? now;
  return now - goneAt >= TRADES_FOLLOW_MS ? { event: 'canceled', matchedSize, goneAt } : { goneAt };
}

const EVENT_OF_STATUS: Record<Exclude<VenueOrderStatus, 'matched'>, AttemptEvent> = {
  open: 'open',
  delayed: 'delayed',
  canceled: 'canceled',
  invalid: 'canceled',
};

/** What an attempt has come to by its news, and when it ended: the first news of that counts. */
export function lifeAfter(
  attempt: AttemptRecord,
  news: AttemptNews,
  now: Instant,
): Pick<AttemptRecord, 'status' | 'sentAt' | 'endedAt'> {
  const { status: before } = attempt;
  const told = news.event === undefined ? before : attemptAfter(before, news.event);
  const status = news.turnedAway ? turnedAway(before) : told;
  const endedAt = hasAttemptEnded(before) ? attempt.endedAt : now;
  return {
    status,
    sentAt: status === 'prepared' ? null : attempt.sentAt,
    endedAt: hasAttemptEnded(status) ? endedAt : null,
  };
}

export function reportedFill(attempt: AttemptRecord, fill: VenueFill): NonNullable<AttemptNews['fills']>[number] {
  const { tradeId, orderHash, price, size, fee, settlement, matchedAt } = fill;
  return { attemptId: attempt.id, tradeId, orderHash, price, size, fee, settlement, matchedAt };
}

/** The reason of an attempt whose post has not been answered for a while. */
export const NOT_ANSWERED = inDoubt('the venue has not answered yet');

function inDoubt(why: string): string {
  return `Outcome unknown, asking: ${why}`;
}
