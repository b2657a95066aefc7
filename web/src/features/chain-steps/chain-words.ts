/** What is done on the chain, in words. */
import type { ChainQuota, ChainStatus, ChainStep, ChainSubmission } from '@dutchbook/contract/chain-steps.ts';
import { VENUE_LABELS } from '@dutchbook/contract/venue-names.ts';
import { formatCount } from '@dutchbook/units/count.ts';
import { formatShares } from '@dutchbook/units/shares.ts';
import { addUsd, formatUsd, USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import type { Tone } from '../../ui/status-badge.tsx';

type StatusWords = { text: string; tone: Tone; meaning: string };

export const STATUS_WORDS: Record<ChainStatus, StatusWords> = {
  planned: { text: 'Planned', tone: 'active', meaning: 'Recorded, and not sent yet.' },
  approving: {
    text: 'Waiting for approval',
    tone: 'warning',
    meaning: 'A contract has to be allowed first to move what the account keeps.',
  },
  sent: { text: 'Sent', tone: 'pending', meaning: 'Sent, and not in a block yet.' },
  unknown: {
    text: 'Unknown',
    tone: 'warning',
    meaning: 'It may have been sent, and its outcome is not known. Nothing is sent in its place.',
  },
  mined: { text: 'Mined', tone: 'active', meaning: 'In a block that could still be replaced.' },
  confirmed: { text: 'Confirmed', tone: 'success', meaning: 'Final on the chain.' },
  failed: { text: 'Failed', tone: 'error', meaning: 'It was not carried out, and will not be.' },
};

export const PURPOSE_WORDS: Record<ChainSubmission['purpose'], string> = {
  cash_now: 'Cash Now',
  redeem: 'Redeem',
  close: 'End of the Run',
  approval: 'Approval',
  split: 'Split',
};

/** What a submission is called; one that the venue did by itself is named after the venue. */
export function submissionWords({ purpose, by_venue, venue }: SubmittedBy): string {
  if (!by_venue || purpose === 'close') return PURPOSE_WORDS[purpose];
  return purpose === 'redeem'
    ? `Paid by ${VENUE_LABELS[venue]}`
    : `${PURPOSE_WORDS[purpose]} by ${VENUE_LABELS[venue]}`;
}

type SubmittedBy = Pick<ChainSubmission, 'purpose' | 'by_venue' | 'venue'>;

export const BY_VENUE_MEANING = 'The venue did it by itself: no call of ours, and none was needed.';

export type ConversionKind = Exclude<ChainStep['kind'], 'approve'>;

export const CONVERSION_VERB: Record<ConversionKind, string> = {
  merge: 'Merge pairs of',
  convert: 'Convert',
  horizontal_merge: 'Merge the whole event with',
  directional_merge: 'Merge above with below of',
  redeem: 'Redeem',
  split: 'Split dollars into pairs of',
  horizontal_split: 'Split dollars into the whole event with',
};

type Call = Pick<ChainStep, 'kind' | 'market_names' | 'shares'> &
  Partial<Pick<ChainStep, 'contract' | 'holder' | 'is_allowed'>>;

/** One call in full. `byVenue`: the venue did it by itself. */
export function callWords(
  { kind, market_names: names, shares, contract, holder, is_allowed }: Call,
  byVenue = false,
): string {
  if (kind === 'approve')
    return `${is_allowed ? 'Allow' : 'Forbid'} ${shortHash(contract ?? '')} to move what ${shortHash(holder ?? '')} keeps`;
  const place = names.length === 1 ? `of ${names[0]}` : `in ${formatCount(names.length)} markets`;
  const verb = byVenue && kind === 'redeem' ? 'For' : CONVERSION_VERB[kind];
  return `${verb} ${formatShares(shares)} sh ${place}`;
}

/** The beginning and the end of a hash or an address. */
export function shortHash(hash: string): string {
  return hash.length <= 12 ? hash : `${hash.slice(0, 6)}…${hash.slice(-4)}`;
}

export function quotaWords({ used, allowed }: ChainQuota): string {
  return `${formatCount(used)} of ${formatCount(allowed)} today`;
}

/** In the chain's own coin. */
export const gasWords = ({ amount, symbol }: NonNullable<ChainSubmission['gas']>) => `${amount} ${symbol}`;

/** How long one that has ended stays in sight of who has asked for it. */
const ENDED_MS = 5 * 60_000;

/** It is under way, or has just ended. */
export function isCurrent({ ended_at }: Pick<ChainSubmission, 'ended_at'>, nowMs: number): boolean {
  return ended_at === null || nowMs - ended_at < ENDED_MS;
}

export function expectedOf(parts: readonly { expected_usd: Usd }[]): Usd {
  return parts.reduce((sum, { expected_usd }) => addUsd(sum, expected_usd), USD_ZERO);
}

type Submitted = readonly Pick<ChainSubmission, 'purpose' | 'status' | 'expected_usd'>[];

/** What has come of asking for it: nothing is on the chain yet. */
export function submittedWords(submissions: Submitted): string {
  const [first] = submissions;
  if (first === undefined) return 'Nothing was left to convert into dollars.';
  const what = submissions.length === 1 ? '1 submission' : `${formatCount(submissions.length)} submissions`;
  const waits = submissions.some(({ status }) => status === 'approving') ? ', waiting for an approval' : '';
  return `${PURPOSE_WORDS[first.purpose]}: ${what} planned for ${formatUsd(expectedOf(submissions))}${waits}.`;
}
