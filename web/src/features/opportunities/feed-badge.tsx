import type { Feed } from '@dutchbook/contract/opportunities.ts';
import { StatusBadge, type Tone } from '../../ui/status-badge.tsx';

const FEED: Record<Feed, { tone: Tone; words: string }> = {
  live: { tone: 'success', words: 'Live' },
  stale: { tone: 'warning', words: 'Stale' },
  polled: { tone: 'active', words: 'Polled' },
  none: { tone: 'inactive', words: 'No book' },
};

/** How far the book of a position can be trusted. */
export function FeedBadge({ feed }: { feed: Feed }) {
  const { tone, words } = FEED[feed];
  return <StatusBadge tone={tone}>{words}</StatusBadge>;
}

/** What a feed that is not live means for the one who trades on it. */
export const FEED_MEANING: Record<Exclude<Feed, 'live'>, string> = {
  stale: 'Stale: the venue’s stream has fallen silent. Nothing is bought on this book until it is fresh again.',
  polled: 'Polled: the book is asked for at intervals and may be some seconds old.',
  none: 'No book: the venue has not sent this position’s orders yet.',
};
