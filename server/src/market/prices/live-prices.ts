/**
 * The live loop: every change of a book re-prices the opportunities it touches, in memory and at once. Open tabs hear
 * of it through the stream, a rising edge of the trigger acts, and the rest is written to the database when a reader could notice.
 */
import type { Instant } from '@dutchbook/units/instant.ts';
import type { Timers } from '../../platform/runtime/runtime.ts';
import type { LivePrices } from '../opportunities/live-prices.ts';
import { LiveLoop, type LivePricesParts } from './live-loop.ts';
import { followOpportunities } from './opportunity-changes.ts';
import { type Tracked, track } from './tracked.ts';

const FLUSH_MS = 1000;
const CHANGES_EVERY_MS = 2000;
const SWEEP_MS = 5000;
/** What only books and settings can change is looked at again this rarely, should a change have been missed. */
const ROUND_MS = 300_000;
/** While prices are listed here, how often that is published to the other processes at most. */
const LISTED_AGAIN_MS = 5000;
/** Positions visited per tick of the event loop. */
const SWEEP_AT_ONCE = 500;
const SWEEP_PAUSE_MS = 5;

/** Starts following the active opportunities that are this process's, and those that a user of this process opens. */
export async function startLivePrices(parts: LivePricesParts): Promise<LivePrices> {
  const { runtime, quotes, settings, stream, partitions } = parts;
  const loop = new LiveLoop(parts);
  let listedAt: Instant | null = null;
  const changes = followOpportunities(runtime.db, runtime.clock.now, partitions.held);
  const notice = async () => {
    await changes.read(loop.adopt);
    await loop.readForeign();
  };
  const stopFollowing = quotes.onChange((changed, repriced) => {
    loop.revaluations.ofMarkets(repriced);
    for (const tracked of loop.opened.affectedBy(changed)) loop.details.touch(tracked);
  });
  const followMoved = async (gained: readonly number[]) => {
    for (const tracked of [...loop.roster.all()]) if (!loop.isWanted(tracked)) loop.drop(tracked);
    await changes.readPartitions(gained, loop.takeOver).catch((error: unknown) => {
      runtime.log.error({ err: error }, 'opportunities of gained partitions not read, repeated');
      runtime.timers.after(CHANGES_EVERY_MS, () => followMoved(gained));
    });
  };
  await notice();
  loop.noteInJournal();
  const stops = [
    stopFollowing,
    settings.onChange(loop.revaluations.ofAll),
    partitions.onChange((gained) => void followMoved(gained)),
    runtime.timers.every(FLUSH_MS, () => loop.flush()),
    runtime.timers.every(CHANGES_EVERY_MS, notice),
    runtime.pubsub.subscribe('prices_listed', (by) => {
      if (by !== loop.id) loop.priceService.noteListed();
    }),
    runtime.pubsub.subscribe('opportunity_deleted', (id) => {
      const tracked = loop.roster.get(id ?? '');
      if (tracked) loop.drop(tracked);
    }),
    sweepInParts(runtime.timers, loop, (tracked) => {
      if (stream.watched(`opportunity:${tracked.row.id}`)) loop.opened.keep(tracked);
      if (loop.isWanted(tracked)) loop.evaluate(tracked);
      else loop.drop(tracked);
    }),
  ];

  return {
    rowsNow: (rows) => rows.map((row) => loop.rowNow(row)),
    moved: loop.priceService.moved,
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
      const tracked = loop.roster.get(row.id) ?? loop.follow(row);
      loop.opened.keep(tracked);
      loop.restless.add(tracked);
      const known = quotes.current(tracked.positions);
      return { quotes: known, isComplete: loop.isComplete(tracked, known) };
    },
    revalue: async (row, known, check) => {
      const tracked = loop.roster.get(row.id) ?? track(row);
      tracked.valuedBy = loop.revaluations.lastChange();
      await loop.priceService.revalue(tracked, known, check);
      loop.details.touch(tracked);
      return tracked.row;
    },
    flush: loop.flush,
    adopt: (rows) => {
      for (const row of rows) loop.adopt(row);
    },
    notice,
    forget: (opportunityId) => {
      const tracked = loop.roster.get(opportunityId);
      if (tracked) loop.drop(tracked);
    },
    stop: async () => {
      for (const stop of stops) stop();
      loop.details.stop();
      await loop.flush('all');
    },
  };
}

/**
 * Visits those that time alone may change every five seconds, and all others in a long round; never so many at once that
 * frames have to wait.
 */
function sweepInParts(
  timers: Timers,
  { roster, restless }: Pick<LiveLoop, 'roster' | 'restless'>,
  visit: (tracked: Tracked) => void,
): () => void {
  let due: Tracked[] = [];
  let round = roster.all();
  const nextOfRound = (): Tracked[] => {
    const part: Tracked[] = [];
    for (let left = Math.ceil((roster.size() * SWEEP_MS) / ROUND_MS); left > 0; left -= 1) {
      const { value: tracked, done } = round.next();
      if (done) {
        round = roster.all();
        break;
      }
      part.push(tracked);
    }
    return part;
  };
  let stopGoingOn = () => {};
  const goOn = () => {
    let positions = 0;
    for (let tracked = due.pop(); tracked !== undefined; tracked = due.pop()) {
      // Some may have been let go of since the sweep began.
      if (roster.get(tracked.row.id) === tracked) visit(tracked);
      positions += tracked.positions.length;
      if (positions >= SWEEP_AT_ONCE) break;
    }
    if (due.length > 0) stopGoingOn = timers.after(SWEEP_PAUSE_MS, goOn);
  };
  const stopBeginning = timers.every(SWEEP_MS, () => {
    if (due.length > 0) return;
    due = [...restless, ...nextOfRound()];
    goOn();
  });
  return () => {
    stopBeginning();
    stopGoingOn();
  };
}
