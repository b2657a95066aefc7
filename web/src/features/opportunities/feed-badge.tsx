import type { Feed } from '@dutchbook/contract/opportunities.ts';
import { StatusBadge, type Tone } from '../../ui/status-badge.tsx';

export const FEED: Record<Feed, { tone: Tone; words: string }> = {
  live: { tone: 'success', words: 'Live' },
  verified: { tone: 'success', words: 'Verified' },
  stale: { tone: 'warning', words: 'Stale' },
  polled: { tone: 'active', words: 'Polled' },
  none: { tone: 'inactive', words: 'No book' },
};

/** How far the book of a position can be trusted. */
export function FeedBadge({ feed }: { feed: Feed }) {
  const { tone, words } = FEED[feed];
  return <StatusBadge tone={tone}>{words}</StatusBadge>;
}

/** What a feed means for the one who trades on it. */
export const FEED_MEANING: Record<Feed, string> = {
  live: 'Live: the book follows the venue’s stream, which is healthy.',
  verified: 'Verified: the book follows the venue’s stream, and the venue’s own snapshot agreed with it a moment ago.',
  stale: 'Stale: the venue’s stream has fallen silent. Nothing is bought on this book until it is fresh again.',
  polled: 'Polled: the book is asked for at intervals and may be some seconds old.',
  none: 'No book: the venue has not sent this position’s orders yet.',
};
