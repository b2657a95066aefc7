import type { VenueName } from '@dutchbook/units/ids.ts';
import type { ReadFeed } from '../../platform/engines/engines.ts';
import type { Clock } from '../../platform/runtime/runtime.ts';

/** A feed that is not up after so long is down. */
const STARTS_WITHIN_MS = 15_000;

/** The feed, which is starting and not down until it has been up once since the process began. */
export function startingFeed({ clock }: { clock: Clock }, feed: ReadFeed): ReadFeed {
  const startedAt = clock.now();
  const wasUp = new Set<VenueName | undefined>();
  return (venue) => {
    const now = feed(venue);
    if (now === 'live' || now === 'polled') wasUp.add(venue);
    return wasUp.has(venue) || clock.now() - startedAt >= STARTS_WITHIN_MS ? now : 'starting';
  };
}
