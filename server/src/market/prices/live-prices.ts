/**
 * The live loop: every change of a book re-prices the opportunities it touches, in memory and at once. Open tabs hear
 * of it through the stream, a rising edge of the trigger acts, and the database hears of the rest when somebody could notice.
 */
import type { Instant } from '@dutchbook/units/instant.ts';
import type { WatchedSettings } from '../../people/system-settings/watched-settings.ts';
import { PARTITIONS } from '../../platform/engines/division.ts';
import type { Partitions } from '../../platform/engines/partitions.ts';
import type { Runtime, Timers } from '../../platform/runtime/runtime.ts';
import type { StreamHub } from '../../platform/stream/stream-hub.ts';
import type { DecisionJournal } from '../decision-journal/note.ts';
import type { LiveQuote } from '../markets/live-quotes.ts';
import type { BlockersOf, LivePrices } from '../opportunities/live-prices.ts';
import { readOpportunities, type StoredOpportunity } from '../opportunities/store.ts';
import { notifyLastingErrors } from './lasting-errors.ts';
import { followOpportunities } from './opportunity-changes.ts';
import { type FollowedFacts, noteFollowed } from './opportunity-facts.ts';
import { createPriceService, type PriceService } from './price-service.ts';
import { isStreamed } from './quotes/live-quote.ts';
import type { QuoteFeed } from './quotes/quotes.ts';
import { openRevaluations, type Revaluations } from './revaluations.ts';
import {
  createRoster,
  type Opened,
  openedOpportunities,
  type Roster,
  resetTo,
  type Tracked,
  track,
} from './tracked.ts';
import type { OnTrigger } from './trigger.ts';
import { streamWatchedDetails, type WatchedDetails } from './watched-details.ts';

const FLUSH_MS = 1000;
const NEWS_MS = 2000;
const SWEEP_MS = 5000;
/** What only books and settings can change is looked at again this rarely, should a change have been missed. */
const ROUND_MS = 300_000;
/** While prices are listed here, the other processes are told at most so often. */
const LISTED_AGAIN_MS = 5000;
/** Positions visited before others have their turn. */
const SWEEP_AT_ONCE = 500;
const SWEEP_PAUSE_MS = 5;

export type LivePricesParts = {
  runtime: Pick<Runtime, 'clock' | 'timers' | 'db' | 'priorityDb' | 'random' | 'log' | 'pubsub'>;
  quotes: QuoteFeed;
  settings: WatchedSettings;
  stream: StreamHub;
  partitions: Partitions;
  facts: DecisionJournal;
  blockersOf: BlockersOf;
  onTrigger: OnTrigger;
};

/** Starts following the active opportunities that are this process's, and those that somebody here opens. */
export async function startLivePrices(parts: LivePricesParts): Promise<LivePrices> {
  const { runtime, quotes, settings, stream, partitions } = parts;
  const loop = createLoop(parts);
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
      runtime.timers.after(NEWS_MS, () => followMoved(gained));
    });
  };
  await notice();
  loop.noteFacts();
  const stops = [
    stopFollowing,
    settings.onChange(loop.revaluations.ofAll),
    partitions.onChange((gained) => void followMoved(gained)),
    runtime.timers.every(FLUSH_MS, () => loop.flush()),
    runtime.timers.every(NEWS_MS, notice),
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
      const isToldOf = listedAt !== null && now - listedAt < LISTED_AGAIN_MS;
      if (isToldOf || loop.hasAll()) return;
      listedAt = now;
      runtime.pubsub
        .publish(runtime.db, 'prices_listed', loop.id)
        .catch((error: unknown) => runtime.log.warn({ err: error }, 'engines not told that prices are listed'));
    },
    open: (row) => {
      const tracked = loop.roster.get(row.id) ?? loop.follow(row);
      loop.opened.keep(tracked);
      loop.restless.add(tracked);
      const known = quotes.current(tracked.positions);
      return { quotes: known, isComplete: isComplete(known, quotes, tracked) };
    },
    settle: async (row, known, check) => {
      const tracked = loop.roster.get(row.id) ?? track(row);
      tracked.valuedBy = loop.revaluations.lastChange();
      await loop.priceService.settle(tracked, known, check);
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
  { roster, restless }: Pick<Loop, 'roster' | 'restless'>,
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

type Loop = {
  /** Of this loop among those of all processes. */
  id: string;
  roster: Roster;
  /** Those of the roster that may change without a book or a setting: no price, an age, a failure that is counted, a wait. */
  restless: Set<Tracked>;
  /** The stored row as it is now. */
  rowNow: (stored: StoredOpportunity) => StoredOpportunity;
  /** Whether no other engine has any. */
  hasAll: () => boolean;
  /** Some of the roster. */
  opened: Opened;
  priceService: PriceService;
  details: WatchedDetails;
  follow: (row: StoredOpportunity) => Tracked;
  drop: (tracked: Tracked) => void;
  /** Takes over a row that was added or edited. */
  adopt: (row: StoredOpportunity) => void;
  /** Takes over a row from another engine, with the state of its trigger as that engine recorded it. */
  takeOver: (row: StoredOpportunity) => void;
  evaluate: (tracked: Tracked) => void;
  revaluations: Revaluations;
  isWanted: (tracked: Tracked) => boolean;
  /** Of those that are open here and another engine's: whether they stand as triggered, and whether they are still there. */
  readForeign: () => Promise<void>;
  flush: (all?: 'all') => Promise<void>;
  /** Notes from now on what is followed, beginning with all of it. */
  noteFacts: () => void;
};

function createLoop(parts: LivePricesParts): Loop {
  const { runtime, quotes, settings, stream, partitions, facts, blockersOf, onTrigger } = parts;
  const roster = createRoster();
  const restless = new Set<Tracked>();
  const opened = openedOpportunities(runtime.clock);
  const priceService = createPriceService(runtime, { settings, stream, partitions, facts, onTrigger });
  let followed: FollowedFacts | null = null;
  const details = streamWatchedDetails(runtime, { stream, quotes, settings, blockersOf });

  const follow = (row: StoredOpportunity) => {
    const tracked = track(row);
    roster.add(tracked);
    restless.add(tracked);
    quotes.watch(tracked.positions);
    return tracked;
  };
  const drop = (tracked: Tracked) => {
    roster.remove(tracked);
    restless.delete(tracked);
    priceService.forget(tracked);
    opened.remove(tracked);
    quotes.unwatch(tracked.positions);
    followed?.drop(tracked);
  };
  const isWanted = (tracked: Tracked) =>
    opened.isStill(tracked) || (tracked.row.active && partitions.owns(tracked.row.id));
  const evaluateBy = (tracked: Tracked, known: LiveQuote[], change: number) => {
    tracked.valuedBy = change;
    details.touch(tracked);
    if (known.some(({ feed }) => feed === 'stale') || !isComplete(known, quotes, tracked)) {
      restless.add(tracked);
      return;
    }
    priceService
      .settle(tracked, known, { asked: false, mayTrigger: true })
      ?.catch((error: unknown) =>
        runtime.log.error({ err: error, opportunity: tracked.row.id }, 'opportunity pricing failed'),
      );
    if (isAtRest(tracked, known)) restless.delete(tracked);
    else restless.add(tracked);
  };
  const revaluations = openRevaluations({ roster, quotes, log: runtime.log }, evaluateBy);
  const evaluate = (tracked: Tracked) =>
    evaluateBy(tracked, quotes.current(tracked.positions), revaluations.lastChange());
  /** One after the other: two that hold some of the same rows could wait for each other. */
  let flushed: Promise<void> = Promise.resolve();
  const flush = async (all?: 'all') => {
    followed?.noteMoved();
    for (const tracked of priceService.dueForPoints()) if (roster.get(tracked.row.id) === tracked) evaluate(tracked);
    for (const tracked of await priceService.flush(all)) drop(tracked);
    await notifyLastingErrors(runtime, restless);
  };
  /** Books, facts and rises of what it was are not those of its new positions. */
  const followAnew = (before: Tracked, row: StoredOpportunity): Tracked => {
    const isOpened = opened.isStill(before);
    drop(before);
    const tracked = follow(row);
    if (isOpened) opened.keep(tracked);
    return tracked;
  };
  const judgeAnew = (before: Tracked, row: StoredOpportunity) => {
    const tracked = before.row.contentHash === row.contentHash ? before : followAnew(before, row);
    // What was seen before the edit and not written is no longer true: the row is judged anew below.
    resetTo(tracked, row);
    tracked.stored = row;
    if (!isWanted(tracked)) return drop(tracked);
    followed?.follow(tracked);
    evaluate(tracked);
  };
  return {
    id: runtime.random.uuid(),
    roster,
    restless,
    opened,
    priceService,
    details,
    follow,
    drop,
    evaluate,
    revaluations,
    isWanted,
    hasAll: () => (partitions.held()?.length ?? PARTITIONS) === PARTITIONS,
    rowNow: (stored) => {
      const tracked = roster.get(stored.id);
      // An edit that this process has not noticed yet makes its own prices the older ones.
      if (tracked === undefined || tracked.row.updatedAt !== stored.updatedAt) return stored;
      // What is at rest was not looked at because its books say all the time that it is so.
      return restless.has(tracked) ? tracked.row : { ...tracked.row, lastChecked: runtime.clock.now() };
    },
    adopt: (row) => {
      const tracked = roster.get(row.id) ?? (row.active && partitions.owns(row.id) ? follow(row) : undefined);
      if (tracked === undefined || (tracked.row !== row && tracked.row.updatedAt >= row.updatedAt)) return;
      judgeAnew(tracked, row);
    },
    takeOver: (row) => {
      const tracked = roster.get(row.id);
      if (tracked !== undefined && !saysMore(row, tracked)) return;
      if (partitions.owns(row.id)) judgeAnew(tracked ?? follow(row), row);
    },
    readForeign: () => readForeign(runtime.db, roster, { partitions, stream, drop }),
    flush: (all) => {
      const flushing = flushed.then(() => flush(all));
      flushed = flushing.catch(() => {});
      return flushing;
    },
    noteFacts: () => {
      followed = noteFollowed(facts, { roster, quotes, partitions });
    },
  };
}

async function readForeign(
  db: Runtime['db'],
  roster: Roster,
  { partitions, stream, drop }: { partitions: Partitions; stream: StreamHub; drop: (tracked: Tracked) => void },
): Promise<void> {
  if (partitions.held() === null) return;
  const foreign = [...roster.all()].filter(({ row }) => !partitions.owns(row.id));
  const ids = foreign.map(({ row }) => row.id);
  const stored = new Map((await readOpportunities(db, ids)).map((row) => [row.id, row]));
  for (const tracked of foreign) {
    const { id } = tracked.row;
    const row = stored.get(id);
    if (row !== undefined && !partitions.owns(id)) {
      resetTo(tracked, { ...tracked.row, triggered: row.triggered, rises: row.rises });
    }
    if (row !== undefined || roster.get(id) !== tracked) continue;
    drop(tracked);
    stream.publish({ topic: `opportunity:${id}`, type: 'opportunity_deleted', id, data: null });
  }
}

/**
 * Whether a row that was read may say more than what is known. Read before an edit that has been taken up since, it would
 * stand against every write of what is known; read before a rise that was recorded here since, the fall would not be written
 * after it. How the row stands where a rise is being recorded, the record of that says.
 */
function saysMore(read: StoredOpportunity, { row, rises }: Tracked): boolean {
  if (read.updatedAt !== row.updatedAt) return read.updatedAt > row.updatedAt;
  return rises.length === 0 && read.rises >= row.rises;
}

/** Nothing is missing that may only not have come yet. */
function isComplete(known: readonly LiveQuote[], quotes: QuoteFeed, { positions }: Tracked): boolean {
  const lacks = known.some(
    ({ market, book, midpoint, lastTrade }) =>
      market === undefined || book === undefined || (midpoint === null && lastTrade === null),
  );
  return !lacks || quotes.hasAnswered(positions);
}

/** Whether nothing but another book, settings or an edit can change what was just found out about it. */
function isAtRest({ row, openUntil, rises, pays, isUp }: Tracked, known: readonly LiveQuote[]): boolean {
  const waits = rises.length > 0 || (pays === true && !isUp);
  return row.lastError === null && openUntil === null && !waits && known.every(isStreamed);
}
