/** Which submissions may be sent while others are on their way. */
import type { VenueChain } from '@dutchbook/venues/venue-chain.ts';
import type { Submission } from './store.ts';

/** Submissions of a plain key under way at once: each waits for the nonces before it. */
const ON_THEIR_WAY_MAX = 8;

/**
 * Unsent submissions that need not wait for a sent one. A given-up one holds up none: the next takes its nonce, so that the
 * chain carries out one of the two at most. A wallet that is a contract has one on its way; a plain key, whose transactions hold
 * one call each, several, each with the nonce after the last, where all are known to be on their way and none moves what another does.
 */
export function besides(
  sent: readonly Submission[],
  unsent: readonly Submission[],
  { callsMax }: Pick<VenueChain, 'callsMax'>,
): readonly Submission[] {
  const onTheirWay = sent.filter(({ row }) => row.givenUpAt === null);
  if (onTheirWay.length === 0) return unsent;
  const areKnown = onTheirWay.every(({ row }) => row.status === 'sent' || row.status === 'mined');
  if (callsMax > 1 || !areKnown || onTheirWay.length >= ON_THEIR_WAY_MAX) return [];
  const moved = new Set(onTheirWay.flatMap(movedBy));
  return unsent.filter(
    (one) => isExit(one) && onTheirWay.every(isExit) && movedBy(one).every((each) => !moved.has(each)),
  );
}

/** Whether the submission takes neither cash nor approvals. */
function isExit({ row }: Submission): boolean {
  return row.purpose === 'cash_now' || row.purpose === 'redeem';
}

/** The markets and tokens that it changes. */
function movedBy({ steps }: Submission): string[] {
  return steps.flatMap(({ marketIds, changes }) => [...marketIds, ...changes.map(({ tokenId }) => tokenId)]);
}
