/**
 * The live loop: every change of a book re-prices the opportunities it touches, in memory and at once. Open tabs hear
 * of it through the stream, the database within a second, and a rising edge of the trigger acts.
 */
import type { DecisionFacts } from '../decision-facts/note.ts';
import type { BlockersOf, LivePrices } from '../opportunities/live-prices.ts';
import { readOpportunities, type StoredOpportunity } from '../opportunities/store.ts';
import type { LiveQuote, Partitions, StreamHub, WatchedSettings } from '../parts.ts';
import type { Runtime, Timers } from '../runtime.ts';
import { notifyLastingErrors } from './lasting-errors.ts';
import { followOpportunities } from './news-of-opportunities.ts';
import { type FollowedFacts, noteFollowed } from './opportunity-facts.ts';
import { createPriceService, type PriceService } from './price-service.ts';
import type { QuoteFeed } from './quotes/quotes.ts';
import { openRevaluations, type Revaluations } from './revaluations.ts';
import {
  createRoster,
  type Opened,
  openedOpportunities,
  type Roster,
  standAs,
  type Tracked,
  track,
} from './tracked.ts';
import type { OnTrigger } from './trigger.ts';
import { streamWatchedDetails, type WatchedDetails } from './watched-details.ts';

const FLUSH_MS = 1000;
const NEWS_MS = 2000;
const SWEEP_MS = 5000;
/** Positions visited before others have their turn. */
const SWEEP_AT_ONCE = 500;
const SWEEP_PAUSE_MS = 5;

export type LivePricesParts = {
  runtime: Pick<Runtime, 'clock' | 'timers' | 'db' | 'priorityDb' | 'random' | 'log' | 'pubsub'>;
  quotes: QuoteFeed;
  settings: WatchedSettings;
  stream: StreamHub;
  partitions: Partitions;
  facts: DecisionFacts;
  blockersOf: BlockersOf;
  onTrigger: OnTrigger;
};

/** Starts following the active opportunities that are this process's, and those that somebody here opens. */
export async function startLivePrices(parts: LivePricesParts): Promise<LivePrices> {
  const { runtime, quotes, settings, stream, partitions } = parts;
  const loop = createLoop(parts);
  const news = followOpportunities(runtime.db, runtime.clock.now, partitions.held);
  const notice = async () => {
    await news.read(loop.adopt);
    await loop.readForeign();
  };
  const stopFollowing = quotes.onChange((changed, repriced) => {
    loop.revaluations.ofMarkets(repriced);
    for (const tracked of loop.opened.affectedBy(changed)) loop.details.touch(tracked);
  });
  const followMoved = async (gained: readonly number[]) => {
    for (const tracked of [...loop.roster.all()]) if (!loop.isWanted(tracked)) loop.drop(tracked);
    await news.readPartitions(gained, loop.takeOver).catch((error: unknown) => {
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
    runtime.timers.every(FLUSH_MS, loop.flush),
    runtime.timers.every(NEWS_MS, notice),
    sweepInParts(runtime.timers, loop.roster, (tracked) => {
      if (stream.watched(`opportunity:${tracked.row.id}`)) loop.opened.keep(tracked);
      if (loop.isWanted(tracked)) loop.evaluate(tracked);
      else loop.drop(tracked);
    }),
  ];

  return {
    rowsNow: (rows) => rows.map((row) => withLivePrices(row, loop.roster.get(row.id))),
    open: (row) => {
      const tracked = loop.roster.get(row.id) ?? loop.follow(row);
      loop.opened.keep(tracked);
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
      await loop.flush();
    },
  };
}

/** Visits all of them every five seconds, and never so many at once that frames have to wait. */
function sweepInParts(timers: Timers, roster: Roster, visit: (tracked: Tracked) => void): () => void {
  let due: Tracked[] = [];
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
    due = [...roster.all()];
    goOn();
  });
  return () => {
    stopBeginning();
    stopGoingOn();
  };
}

type Loop = {
  roster: Roster;
  /** Some of the roster. */
  opened: Opened;
  priceService: PriceService;
  details: WatchedDetails;
  follow: (row: StoredOpportunity) => Tracked;
  drop: (tracked: Tracked) => void;
  /** Takes over a row that was added or edited. */
  adopt: (row: StoredOpportunity) => void;
  /** The same of one that has come from another engine: what stands of its trigger is what that one has recorded. */
  takeOver: (row: StoredOpportunity) => void;
  evaluate: (tracked: Tracked) => void;
  revaluations: Revaluations;
  isWanted: (tracked: Tracked) => boolean;
  /** Of those that are open here and another engine's: whether they stand as triggered, and whether they are still there. */
  readForeign: () => Promise<void>;
  flush: () => Promise<void>;
  /** Notes from now on what is followed, beginning with all of it. */
  noteFacts: () => void;
};

function createLoop(parts: LivePricesParts): Loop {
  const { runtime, quotes, settings, stream, partitions, facts, blockersOf, onTrigger } = parts;
  const roster = createRoster();
  const opened = openedOpportunities(runtime.clock);
  const priceService = createPriceService(runtime, { settings, stream, partitions, facts, onTrigger });
  let followed: FollowedFacts | null = null;
  const details = streamWatchedDetails(runtime, { stream, quotes, settings, blockersOf });

  const follow = (row: StoredOpportunity) => {
    const tracked = track(row);
    roster.add(tracked);
    quotes.watch(tracked.positions);
    return tracked;
  };
  const drop = (tracked: Tracked) => {
    roster.remove(tracked);
    opened.remove(tracked);
    quotes.unwatch(tracked.positions);
    followed?.drop(tracked);
  };
  const isWanted = (tracked: Tracked) =>
    opened.isStill(tracked) || (tracked.row.active && partitions.owns(tracked.row.id));
  const evaluateBy = (tracked: Tracked, known: LiveQuote[], change: number) => {
    tracked.valuedBy = change;
    details.touch(tracked);
    if (known.some(({ feed }) => feed === 'stale') || !isComplete(known, quotes, tracked)) return;
    priceService
      .settle(tracked, known, { asked: false, mayTrigger: true })
      .catch((error: unknown) =>
        runtime.log.error({ err: error, opportunity: tracked.row.id }, 'opportunity pricing failed'),
      );
  };
  const revaluations = openRevaluations({ roster, quotes, log: runtime.log }, evaluateBy);
  const evaluate = (tracked: Tracked) =>
    evaluateBy(tracked, quotes.current(tracked.positions), revaluations.lastChange());
  const judgeAnew = (tracked: Tracked, row: StoredOpportunity) => {
    // What was seen before the edit and not written is no longer true: the row is judged anew below.
    standAs(tracked, row);
    if (!isWanted(tracked)) return drop(tracked);
    followed?.follow(tracked);
    evaluate(tracked);
  };
  return {
    roster,
    opened,
    priceService,
    details,
    follow,
    drop,
    evaluate,
    revaluations,
    isWanted,
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
    flush: async () => {
      followed?.noteMoved();
      for (const tracked of await priceService.flush()) drop(tracked);
      await notifyLastingErrors(runtime, roster.all());
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
      standAs(tracked, { ...tracked.row, triggered: row.triggered, rises: row.rises });
    }
    if (row !== undefined || roster.get(id) !== tracked) continue;
    drop(tracked);
    stream.publish({ topic: `opportunity:${id}`, type: 'opportunity_deleted', id, data: null });
  }
}

/**
 * Whether a row that was read may say more than what is known. Read before an edit that has been taken up since, it would
 * stand against every write of what is known; read before a rise that was recorded here since, nobody would write the fall
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

/** An edit that this process has not noticed yet makes its own prices the older ones. */
function withLivePrices(stored: StoredOpportunity, tracked: Tracked | undefined): StoredOpportunity {
  return tracked !== undefined && tracked.row.updatedAt === stored.updatedAt ? tracked.row : stored;
}
