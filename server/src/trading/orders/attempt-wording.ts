/** The words for an attempt and its order, from what is recorded of them. */
import { PRICE_CHANGED_MARKER, SUCCESS_MARKER } from '@dutchbook/contract/orders.ts';
import { awaitsOutcome, wasAccepted } from '@dutchbook/engine/order/life.ts';
import { LEAST_SIZE, type Shares, sharesToText, subtractShares } from '@dutchbook/units/shares.ts';
import type { attempts, batchOrders, OrderWarning } from './table.ts';

type WordedAttempt = Pick<typeof attempts.$inferSelect, 'status' | 'reason' | 'unknownReason' | 'lookupAnswer'>;

type Filled = Pick<typeof batchOrders.$inferSelect, 'size' | 'status' | 'filledSize'>;

type OrderError = Pick<typeof batchOrders.$inferSelect, 'error' | 'errorKind'>;

/** Its outcome is unknown, or was until the venue, asked, turned out to have it. */
export function wasUnknown({ status, unknownReason }: Pick<WordedAttempt, 'status' | 'unknownReason'>): boolean {
  return status === 'unknown' || (wasAccepted(status) && unknownReason !== null);
}

/** The venue's last answer about an unknown outcome, or why there is none. */
export function answerAbout({
  lookupAnswer,
  unknownReason,
}: Pick<WordedAttempt, 'lookupAnswer' | 'unknownReason'>): string | null {
  return lookupAnswer ?? (unknownReason === null ? null : unknownSentence(unknownReason));
}

/** Why it was not taken, or not in full; with an unknown outcome, why that is unknown. Null where nothing is wrong. */
export function failureOf({ status, reason, unknownReason }: Omit<WordedAttempt, 'lookupAnswer'>): string | null {
  if (unknownReason === null || wasAccepted(status)) return reason;
  return [reason, unknownSentence(unknownReason)].filter((part) => part !== null).join(' ');
}

/** The error of an order's last attempt; `warning` is that of the order. */
export function errorOf(attempt: Omit<WordedAttempt, 'lookupAnswer'>, warning: string | null): OrderError {
  const { status, unknownReason } = attempt;
  if (awaitsOutcome(status)) return warningOf(warning);
  if (wasAccepted(status) && unknownReason !== null) {
    const error = `It stands, and its outcome was unknown. ${unknownSentence(unknownReason)}`;
    return { error, errorKind: 'outcome_was_unknown' };
  }
  const failure = failureOf(attempt);
  return failure === null ? warningOf(warning) : { error: failure, errorKind: null };
}

/** The note of a filled order that lacks less than an order could be for; null where it lacks nothing. */
export function roundingOf({ size, status, filledSize }: Filled): OrderError | null {
  if (status !== 'filled' || filledSize >= size) return null;
  const missing = sharesToText(subtractShares(size, filledSize));
  const step = sharesToText(LEAST_SIZE as Shares);
  return {
    error: `${missing} of its ${sharesToText(size)} shares are missing, less than the ${step} that can be ordered.`,
    errorKind: 'rounded',
  };
}

/** The warning of an order without an error: its price had moved when it was placed. */
export function warningOf(warning: string | null): OrderError {
  return { error: warning, errorKind: warning === null ? null : 'price_changed' };
}

/** The error as the API presents it, with the marker of its kind. */
export function presentError({ error, errorKind }: OrderError): string | null {
  return error === null || errorKind === null ? error : `${MARKERS[errorKind]} ${error}`;
}

const MARKERS: Readonly<Record<OrderWarning, string>> = {
  price_changed: PRICE_CHANGED_MARKER,
  outcome_was_unknown: SUCCESS_MARKER,
  rounded: SUCCESS_MARKER,
};

function unknownSentence(unknownReason: string): string {
  return `Outcome unknown, asking: ${unknownReason}`;
}
