/** Reads the structure of the whole venue and watches what it holds, in processes that are engines. */
import { modeOf } from '@dutchbook/contract/status.ts';
import type { BookOf } from '@dutchbook/engine/desk/watched-relation.ts';
import type { Venue } from '@dutchbook/venues/venue.ts';
import type { Partitions } from '../../platform/engines/partitions.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import type { StreamHub } from '../../platform/stream/stream-hub.ts';
import type { DecisionJournal } from '../decision-journal/note.ts';
import type { LivePrices } from '../opportunities/live-prices.ts';
import type { ActiveBatchOf } from '../opportunities/store.ts';
import type { HitEnds } from '../relations/hits.ts';
import { openRelating } from './relate-across.ts';
import type { WatchedDiscoverySettings } from './settings.ts';
import { startSync } from './sync.ts';
import { startWatch } from './watch.ts';
import type { WatchedTokens } from './watched-tokens.ts';

/** The simulated exchange answers with one page, a real venue with hundreds. */
const PAUSE_MS = { simulated: 5_000, real: 300_000 };

export type Discovery = {
  settings: WatchedDiscoverySettings;
  /** Books of the relations that this process watches. */
  bookOf: BookOf;
  watches: (relationId: string) => boolean;
  live: Pick<LivePrices, 'adopt' | 'rowsNow'>;
  stop: () => Promise<void>;
};

export type DiscoveryParts = {
  runtime: Runtime;
  venue: Pick<Venue, 'names' | 'catalogue' | 'openMarketStream'>;
  partitions: Partitions;
  settings: WatchedDiscoverySettings;
  stream: StreamHub;
  live: LivePrices;
  activeBatchOf: ActiveBatchOf;
  hitEnds: HitEnds;
  journal: DecisionJournal;
};

/** `tokens`: those whose books it watches; null where it watches none. */
export async function startDiscovery(parts: DiscoveryParts): Promise<Discovery & { tokens: WatchedTokens | null }> {
  const { runtime, venue, partitions, settings, live, journal } = parts;
  const noteSettings = () => journal.note('discovery', '', settings.current());
  noteSettings();
  const stopNoting = settings.onChange(noteSettings);
  journal.onRetell(function* () {
    yield { topic: 'discovery', subject: '', data: settings.current() };
  });
  if (!runtime.config.roles.has('engine') || !runtime.config.discovery)
    return {
      settings,
      live,
      tokens: null,
      bookOf: () => undefined,
      watches: () => false,
      stop: async () => stopNoting(),
    };
  const watch = await startWatch(parts);
  const pauseMs = modeOf(runtime.config.venueMode).world === 'simulated' ? PAUSE_MS.simulated : PAUSE_MS.real;
  const { names, catalogue } = venue;
  const relate = oneAfterAnother(openRelating(runtime));
  const syncs = names.map((name) =>
    startSync({ runtime, venue: name, catalogue, partitions, settings, pauseMs, relate }),
  );
  return {
    settings,
    live,
    bookOf: watch.bookOf,
    watches: watch.watches,
    tokens: watch.tokens,
    stop: async () => {
      stopNoting();
      await Promise.all(syncs.map((sync) => sync.stop()));
      await watch.stop();
    },
  };
}

/** Passes of two venues may end at the same time, and relate the same events. */
function oneAfterAnother(work: () => Promise<void>): () => Promise<void> {
  let last = Promise.resolve();
  return () => {
    const next = last.then(work);
    last = next.catch(() => {});
    return next;
  };
}
