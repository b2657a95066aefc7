/**
 * The live loop: every change of a book re-prices the opportunities it touches, in memory and at once. Open tabs receive
 * it through the stream, a rising edge of the trigger starts a batch, and the database gets the rest when a reader could notice.
 */
import type { Instant } from '@dutchbook/units/instant.ts';
import type { LivePrices } from '../opportunities/live-prices.ts';
import { LiveLoop, type LivePricesParts } from './live-loop.ts';
import { followOpportunities } from './opportunity-changes.ts';
import { track } from './tracked.ts';

const FLUSH_MS = 1000;
const CHANGES_EVERY_MS = 2000;
const ROUND_MS = 5000;
/** While prices are listed here, how often that is published to the other processes at most. */
const LISTED_AGAIN_MS = 5000;

/** Starts following the active opportunities that are this process's, and those that a user of this process opens. */
export async function startLivePrices(parts: LivePricesParts): Promise<LivePrices> {
  const { runtime, quotes, settings, partitions } = parts;
  const loop = new LiveLoop(parts);
  let listedAt: Instant | null = null;
  const changes = followOpportunities(runtime.db, runtime.clock.now, partitions.held);
  const readChanges = async () => {
    await changes.read(loop.adopt);
    await loop.readForeign();
  };
  const stopFollowing = quotes.onChange((marketIds, tokenIds) => {
    loop.desk.process(tokenIds === null ? { kind: 'markets', marketIds } : { kind: 'books', tokenIds });
    for (const tracked of loop.opened.affectedBy(marketIds)) loop.details.touch(tracked);
  });
  const followMoved = async (gained: readonly number[]) => {
    for (const tracked of [...loop.desk.all()]) if (!loop.isWanted(tracked)) loop.drop(tracked);
    await changes.readPartitions(gained, loop.takeOver).catch((error: unknown) => {
      runtime.log.error({ err: error }, 'opportunities of gained partitions not read, repeated');
      runtime.timers.after(CHANGES_EVERY_MS, () => followMoved(gained));
    });
  };
  await readChanges();
  loop.noteInJournal();
  const stopAlerts = loop.keepAlerts();
  const stops = [
    stopFollowing,
    settings.onChange(() => loop.desk.takeSettings()),
    quotes.onForgotten((tokenIds) => loop.desk.process({ kind: 'forgotten', tokenIds })),
    partitions.onChange((gained) => void followMoved(gained)),
    runtime.timers.every(FLUSH_MS, () => loop.flush()),
    runtime.timers.every(CHANGES_EVERY_MS, readChanges),
    runtime.pubsub.subscribe('prices_listed', (by) => {
      if (by !== loop.id) loop.desk.writes.noteListed();
    }),
    runtime.pubsub.subscribe('opportunity_deleted', (id) => {
      const tracked = loop.desk.get(id ?? '');
      if (tracked) loop.drop(tracked);
    }),
    runtime.timers.every(ROUND_MS, () => loop.desk.process({ kind: 'time' })),
  ];

  return {
    rowsNow: (rows) => rows.map((row) => loop.rowNow(row)),
    moved: loop.desk.writes.moved,
    noteListed: () => {
      const now = runtime.clock.now();
      const isPublished = listedAt !== null && now - listedAt < LISTED_AGAIN_MS;
      if (isPublished || loop.hasAll()) return;
      listedAt = now;
      runtime.pubsub
        .publish(runtime.db, 'prices_listed', loop.id)
        .catch((error: unknown) => runtime.log.warn({ err: error }, 'engines not notified that prices are listed'));
    },
    open: (row) => {
      const tracked = loop.desk.get(row.id) ?? loop.follow(row);
      loop.opened.keep(tracked);
      loop.desk.process({ kind: 'put', item: tracked });
      const known = quotes.current(tracked.positions);
      return { quotes: known, isComplete: loop.desk.isComplete(tracked, known) };
    },
    revalue: async (row, known, check) => {
      const tracked = loop.desk.get(row.id) ?? track(row);
      await loop.desk.revalue(tracked, known, check);
      return tracked.row;
    },
    flush: loop.flush,
    adopt: (rows) => {
      for (const row of rows) loop.adopt(row);
    },
    readChanges,
    forget: (opportunityId) => {
      const tracked = loop.desk.get(opportunityId);
      if (tracked) loop.drop(tracked);
    },
    stop: async () => {
      for (const stop of stops) stop();
      loop.details.stop();
      await stopAlerts();
      await loop.flush('all');
    },
  };
}
