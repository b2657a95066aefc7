/**
 * Divides the opportunities among the engines alive. Each says every second or so that it is there; who does not for some
 * seconds has lost its shares to the others. What is done with a share proves in its own transaction that it is held.
 */
import type { SystemStatus } from '@dutchbook/contract/status.ts';
import type { ShareClaim, Shares } from '../parts.ts';
import type { World } from '../world/world.ts';
import { movesOf, shareOf } from './division.ts';
import {
  ensureShares,
  forgetEngines,
  giveShares,
  readAlive,
  readShares,
  removeEngine,
  takeShares,
  writeEngine,
} from './lease.ts';

/** With a beat of this, the shares of an engine that dies have moved after seven seconds. */
const BEAT_MS = 1500;

type Feed = SystemStatus['feed'];

const FROM_WORST: readonly Feed[] = ['down', 'degraded', 'polled', 'live'];

export type Engines = {
  shares: Shares;
  /** From now on an engine takes its part; before, everything that works on a share has to be ready for it. */
  takePart: () => Promise<void>;
  /** How many share the account's pace, this one included. */
  alive: () => number;
  /** The worst feed of all engines alive; down where there is none. */
  feed: () => Feed;
  /** From now on this engine tells the others how its own feed is. */
  tellFeed: (own: () => Feed) => void;
  /** Calls back when the number of engines may have changed. */
  onBeat: (react: () => void) => void;
  /** After everything that works on a share has ended. */
  stop: () => Promise<void>;
};

type EnginesWorld = Pick<World, 'clock' | 'databaseNow' | 'db' | 'dice' | 'log' | 'notices' | 'timers'>;

/** Alone on its database, one engine has everything and asks nobody. */
export function onlyEngine(): Engines {
  let feed: () => Feed = () => 'live';
  const shares = { owns: () => true, held: () => null, claimOf: () => null, onChange: () => () => {} };
  return {
    shares,
    takePart: async () => {},
    alive: () => 1,
    feed: () => feed(),
    tellFeed: (own) => {
      feed = own;
    },
    onBeat: () => {},
    stop: async () => {},
  };
}

/** One of any number of processes on a database; only those that take part are engines. @throws when nothing can be read at first */
export async function openEngines(world: EnginesWorld): Promise<Engines> {
  const { clock, db, dice, log, notices, timers } = world;
  const id = dice.uuid();
  const startedAt = clock.now();
  const held = holdShares(id);
  const reactions: (() => void)[] = [];
  let others: { id: string; feed: Feed }[] = [];
  let ownFeed: () => Feed = () => 'live';
  let isEngine = false;

  async function beat(): Promise<void> {
    if (isEngine) await writeEngine(world, { id, startedAt, feed: ownFeed() });
    const alive = await readAlive(world);
    others = alive.filter((engine) => engine.id !== id);
    if (isEngine) {
      const ids = [id, ...others.map((engine) => engine.id)];
      if (await move(world, id, ids, held)) await notices.tell(db, 'engines_changed');
    }
    for (const react of reactions) react();
  }

  await beat();
  const inTurn = oneAtATime(() =>
    beat().catch((error: unknown) => log.warn({ err: error }, 'The engines alive could not be looked up')),
  );
  const stops = [timers.every(BEAT_MS, inTurn), notices.on('engines_changed', () => void inTurn())];
  const feeds = () => [...(isEngine ? [ownFeed()] : []), ...others.map(({ feed }) => feed)];
  return {
    shares: held.shares,
    takePart: async () => {
      await ensureShares(db);
      isEngine = true;
      await inTurn();
      await notices.tell(db, 'engines_changed');
    },
    alive: () => others.length + (isEngine ? 1 : 0),
    feed: () => FROM_WORST.find((feed) => feeds().includes(feed)) ?? 'down',
    tellFeed: (own) => {
      ownFeed = own;
    },
    onBeat: (react) => void reactions.push(react),
    stop: async () => {
      for (const stop of stops) stop();
      await inTurn.ended();
      if (isEngine) await leave(world, id);
    },
  };
}

/** Lets go of shares and takes others. @returns whether some are free now for others */
async function move(world: EnginesWorld, id: string, alive: readonly string[], held: HeldShares): Promise<boolean> {
  const { db, log } = world;
  const rows = await readShares(db);
  const own = new Map(rows.filter(({ owner }) => owner === id).map(({ share, token }) => [share, token]));
  const { give, take } = movesOf(id, alive, new Map(rows.map(({ share, owner }) => [share, owner])));
  for (const share of give) own.delete(share);
  held.set(own);
  if (give.length > 0) await giveShares(db, id, give);
  if (take.length > 0) {
    for (const { share, token } of await takeShares(world, id, take)) own.set(share, token);
    await forgetEngines(world);
    held.set(own);
  }
  if (give.length + take.length > 0) log.info({ engines: alive.length, shares: own.size }, 'shares have moved');
  return give.length > 0;
}

async function leave({ db, notices, log }: EnginesWorld, id: string): Promise<void> {
  const removing = db.transaction(async (tx) => {
    await removeEngine(tx, id);
    await notices.tell(tx, 'engines_changed');
  });
  await removing.catch((error: unknown) => log.warn({ err: error }, 'The shares of this engine run out by themselves'));
}

type HeldShares = { shares: Shares; set: (own: ReadonlyMap<number, number>) => void };

/** What was found out last to be held, by share and token. */
function holdShares(owner: string): HeldShares {
  const watchers = new Set<{ react: (gained: readonly number[]) => void }>();
  let held: ReadonlyMap<number, number> = new Map();
  const claimOf = (opportunityId: string): ShareClaim => {
    const share = shareOf(opportunityId);
    // A token that no share ever has: what is not held is not proven either.
    return { share, owner, token: held.get(share) ?? -1 };
  };
  return {
    shares: {
      owns: (opportunityId) => held.has(shareOf(opportunityId)),
      held: () => [...held.keys()],
      claimOf,
      onChange: (react) => {
        const watcher = { react };
        watchers.add(watcher);
        return () => void watchers.delete(watcher);
      },
    },
    set: (own) => {
      const gained = [...own].filter(([share, token]) => held.get(share) !== token).map(([share]) => share);
      const lost = [...held].filter(([share, token]) => own.get(share) !== token);
      held = new Map(own);
      if (gained.length + lost.length > 0) for (const { react } of [...watchers]) react(gained);
    },
  };
}

/** Who calls while it runs has it run once more after that. */
function oneAtATime(work: () => Promise<void>): (() => Promise<void>) & { ended: () => Promise<void> } {
  let running: Promise<void> | null = null;
  let again = false;
  const run = async () => {
    do {
      again = false;
      await work();
    } while (again);
  };
  const call = () => {
    if (running === null) {
      running = run().finally(() => {
        running = null;
      });
    } else again = true;
    return running;
  };
  return Object.assign(call, { ended: async () => void (await running) });
}
