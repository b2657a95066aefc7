/**
 * Divides the opportunities among the engines alive. Each says every second or so that it is there; who does not for some
 * seconds has lost its partitions to the others. What is done with a partition proves in its own transaction that it is held.
 */
import type { SystemStatus } from '@dutchbook/contract/status.ts';
import type { VenueName } from '@dutchbook/units/ids.ts';
import { openFailureLog } from '../runtime/failure-log.ts';
import { openListeners } from '../runtime/listeners.ts';
import { oneAtATime } from '../runtime/one-at-a-time.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { movesOf, partitionOf } from './division.ts';
import {
  type AliveEngine,
  ensurePartitions,
  forgetEngines,
  givePartitions,
  readAlive,
  readPartitions,
  removeEngine,
  takePartitions,
  writeEngine,
} from './lease.ts';
import type { PartitionClaim, Partitions } from './partitions.ts';

/** With a beat of this, the partitions of an engine that dies have moved after seven seconds. */
const BEAT_MS = 1500;

type Feed = SystemStatus['feed'];

/** Feed of one venue, or of all. */
export type ReadFeed = (venue?: VenueName) => Feed;

const FROM_WORST: readonly Feed[] = ['down', 'degraded', 'starting', 'polled', 'live'];

export type Engines = {
  partitions: Partitions;
  /** From now on an engine takes its part; before, everything that works on a partition has to be ready for it. */
  takePart: () => Promise<void>;
  /** How many share the account's pace, this one included. */
  alive: () => number;
  /** The worst feed of all engines alive; down where there is none. */
  feed: ReadFeed;
  /** From now on this engine tells the others how its own feed is, over all and of these venues. */
  tellFeed: (own: ReadFeed, venues: readonly VenueName[]) => void;
  /** Calls back when the number of engines may have changed. */
  onBeat: (react: () => void) => void;
  /** After everything that works on a partition has ended. */
  stop: () => Promise<void>;
};

type EnginesRuntime = Pick<Runtime, 'clock' | 'databaseNow' | 'db' | 'random' | 'log' | 'pubsub' | 'timers'>;

/** One engine alone on its database holds all partitions without leases. */
export function onlyEngine(): Engines {
  let feed: ReadFeed = () => 'live';
  const partitions = { owns: () => true, held: () => null, claimOf: () => null, onChange: () => () => {} };
  return {
    partitions,
    takePart: async () => {},
    alive: () => 1,
    feed: (venue) => feed(venue),
    tellFeed: (own) => {
      feed = own;
    },
    onBeat: () => {},
    stop: async () => {},
  };
}

/** One of any number of processes on a database; only those that take part are engines. @throws when nothing can be read at first */
export async function openEngines(runtime: EnginesRuntime): Promise<Engines> {
  const { clock, db, random, log, pubsub, timers } = runtime;
  const id = random.uuid();
  const startedAt = clock.now();
  const held = holdShares(id);
  const beats = openListeners();
  let others: AliveEngine[] = [];
  let ownFeed: ReadFeed = () => 'live';
  let ownVenues: readonly VenueName[] = [];
  let isEngine = false;

  async function beat(): Promise<void> {
    if (isEngine) {
      const venueFeeds = Object.fromEntries(ownVenues.map((venue) => [venue, ownFeed(venue)]));
      await writeEngine(runtime, { id, startedAt, feed: ownFeed(), venueFeeds });
    }
    const alive = await readAlive(runtime);
    others = alive.filter((engine) => engine.id !== id);
    if (isEngine) {
      const ids = [id, ...others.map((engine) => engine.id)];
      if (await move(runtime, id, ids, held)) await pubsub.publish(db, 'engines_changed');
    }
    beats.call();
  }

  await beat();
  const failures = openFailureLog(log, 'warn', 'live engines not read');
  const oneBeat = oneAtATime(() => beat().then(failures.succeeded, failures.failed));
  const stops = [timers.every(BEAT_MS, oneBeat), pubsub.subscribe('engines_changed', () => void oneBeat())];
  const feeds = (venue?: VenueName) => [
    ...(isEngine ? [ownFeed(venue)] : []),
    ...others.map(({ feed, venueFeeds }) => (venue === undefined ? feed : (venueFeeds[venue] ?? feed))),
  ];
  return {
    partitions: held.partitions,
    takePart: async () => {
      await ensurePartitions(db);
      isEngine = true;
      await oneBeat();
      await pubsub.publish(db, 'engines_changed');
    },
    alive: () => others.length + (isEngine ? 1 : 0),
    feed: (venue) => FROM_WORST.find((feed) => feeds(venue).includes(feed)) ?? 'down',
    tellFeed: (own, venues) => {
      ownFeed = own;
      ownVenues = venues;
    },
    onBeat: beats.add,
    stop: async () => {
      for (const stop of stops) stop();
      await oneBeat.ended();
      if (isEngine) await leave(runtime, id);
    },
  };
}

/** Lets go of partitions and takes others. @returns whether some are free now for others */
async function move(runtime: EnginesRuntime, id: string, alive: readonly string[], held: HeldShares): Promise<boolean> {
  const { db, log } = runtime;
  const rows = await readPartitions(db);
  const own = new Map(rows.filter(({ owner }) => owner === id).map(({ partition, token }) => [partition, token]));
  const { give, take } = movesOf(id, alive, new Map(rows.map(({ partition, owner }) => [partition, owner])));
  for (const partition of give) own.delete(partition);
  held.set(own);
  if (give.length > 0) await givePartitions(db, id, give);
  if (take.length > 0) {
    for (const { partition, token } of await takePartitions(runtime, id, take)) own.set(partition, token);
    await forgetEngines(runtime);
    held.set(own);
  }
  if (give.length + take.length > 0) log.info({ engines: alive.length, partitions: own.size }, 'partitions moved');
  return give.length > 0;
}

async function leave({ db, pubsub, log }: EnginesRuntime, id: string): Promise<void> {
  const removing = db.transaction(async (tx) => {
    await removeEngine(tx, id);
    await pubsub.publish(tx, 'engines_changed');
  });
  await removing.catch((error: unknown) => log.warn({ err: error }, 'partitions not released, their leases run out'));
}

type HeldShares = { partitions: Partitions; set: (own: ReadonlyMap<number, number>) => void };

/** What was found out last to be held, by partition and token. */
function holdShares(owner: string): HeldShares {
  const listeners = openListeners<[gained: readonly number[]]>();
  let held: ReadonlyMap<number, number> = new Map();
  const claimOf = (opportunityId: string): PartitionClaim => {
    const partition = partitionOf(opportunityId);
    // A token that no partition ever has: what is not held is not proven either.
    return { partition, owner, token: held.get(partition) ?? -1 };
  };
  return {
    partitions: {
      owns: (opportunityId) => held.has(partitionOf(opportunityId)),
      held: () => [...held.keys()],
      claimOf,
      onChange: listeners.add,
    },
    set: (own) => {
      const gained = [...own]
        .filter(([partition, token]) => held.get(partition) !== token)
        .map(([partition]) => partition);
      const lost = [...held].filter(([partition, token]) => own.get(partition) !== token);
      held = new Map(own);
      if (gained.length + lost.length > 0) listeners.call(gained);
    },
  };
}
