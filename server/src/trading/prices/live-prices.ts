/**
 * The live loop: every change of a book re-prices the opportunities it touches, in memory and at once. Open tabs hear
 * of it through the stream, the database within a second, and a rising edge of the trigger acts.
 */
import { readOpportunities, type StoredOpportunity } from '../../opportunities/store.ts';
import type { Shares, StreamHub, TrustedQuote, WatchedSettings } from '../../parts.ts';
import type { Timers, World } from '../../world/world.ts';
import type { QuoteFeed } from '../quotes/quotes.ts';
import { tellLastingErrors } from './lasting-errors.ts';
import { followOpportunities } from './news-of-opportunities.ts';
import { type Opened, openedOpportunities } from './opened.ts';
import { createPriceLedger, type Look, type PriceLedger } from './price-ledger.ts';
import { createRoster, type Roster, type Tracked, track } from './tracked.ts';
import type { OnTrigger } from './trigger.ts';
import { type BlockersOf, streamWatchedDetails, type WatchedDetails } from './watched-details.ts';

const FLUSH_MS = 1000;
const NEWS_MS = 2000;
const SWEEP_MS = 5000;
const SWEEP_AT_ONCE = 200;
const SWEEP_PAUSE_MS = 5;

export type LivePrices = {
  /** The stored rows with what is known of their prices at this moment. */
  rowsNow: (rows: readonly StoredOpportunity[]) => StoredOpportunity[];
  /**
   * Follows an opportunity because somebody has opened it, active or not. Answers its quotes without I/O; they are not
   * complete while the venue has not answered for some of them.
   */
  look: (row: StoredOpportunity) => { quotes: TrustedQuote[]; isComplete: boolean };
  /** Prices an opportunity with quotes that were fetched for it, as the loop does with its own; answers the new row. */
  settle: (row: StoredOpportunity, quotes: readonly TrustedQuote[], look: Look) => Promise<StoredOpportunity>;
  /** Writes now what would be written within a second. */
  flush: () => Promise<void>;
  /** Reads at once what was added or edited, instead of within two seconds. */
  notice: () => Promise<void>;
  forget: (opportunityId: string) => void;
  stop: () => Promise<void>;
};

export type LivePricesParts = {
  world: Pick<World, 'clock' | 'timers' | 'db' | 'urgentDb' | 'patientDb' | 'dice' | 'log' | 'notices'>;
  quotes: QuoteFeed;
  settings: WatchedSettings;
  stream: StreamHub;
  shares: Shares;
  blockersOf: BlockersOf;
  onTrigger: OnTrigger;
};

/** Starts following the active opportunities that are this process's, and those that somebody here opens. */
export async function startLivePrices(parts: LivePricesParts): Promise<LivePrices> {
  const { world, quotes, settings, stream, shares } = parts;
  const loop = createLoop(parts);
  const news = followOpportunities(world.patientDb, world.clock.now, shares.held);
  const notice = async () => {
    await news.read((rows) => rows.forEach(loop.adopt));
    await loop.hearOfOthers();
  };
  quotes.onChange((changed, repriced) => {
    for (const tracked of loop.roster.affectedBy(repriced)) loop.evaluate(tracked);
    for (const tracked of loop.opened.affectedBy(changed)) loop.details.touch(tracked);
  });
  const evaluateAll = () => {
    for (const tracked of loop.roster.all()) loop.evaluate(tracked);
  };
  const followMoved = async (gained: readonly number[]) => {
    for (const tracked of [...loop.roster.all()]) if (!loop.isWanted(tracked)) loop.drop(tracked);
    await news
      .readShares(gained, (rows) => rows.forEach(loop.takeOver))
      .catch((error: unknown) => {
        world.log.error({ err: error }, 'opportunities that have come here were not read, and are once more');
        world.timers.after(NEWS_MS, () => followMoved(gained));
      });
  };
  await notice();
  const stops = [
    settings.onChange(evaluateAll),
    shares.onChange((gained) => void followMoved(gained)),
    world.timers.every(FLUSH_MS, loop.flush),
    world.timers.every(NEWS_MS, notice),
    sweepInParts(world.timers, loop.roster, (tracked) => {
      if (stream.watched(`opportunity:${tracked.row.id}`)) loop.opened.keep(tracked);
      if (loop.isWanted(tracked)) loop.evaluate(tracked);
      else loop.drop(tracked);
    }),
  ];

  return {
    rowsNow: (rows) => rows.map((row) => withLivePrices(row, loop.roster.get(row.id))),
    look: (row) => {
      const tracked = loop.roster.get(row.id) ?? loop.follow(row);
      loop.opened.keep(tracked);
      const known = quotes.current(tracked.positions);
      return { quotes: known, isComplete: isComplete(known, quotes, tracked) };
    },
    settle: async (row, known, look) => {
      const tracked = loop.roster.get(row.id) ?? track(row);
      await loop.ledger.settle(tracked, known, look);
      loop.details.touch(tracked);
      return tracked.row;
    },
    flush: loop.flush,
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

/** Looks at all of them every five seconds, and never at so many at once that frames have to wait. */
function sweepInParts(timers: Timers, roster: Roster, look: (tracked: Tracked) => void): () => void {
  let due: Tracked[] = [];
  let stopGoingOn = () => {};
  const goOn = () => {
    // Some may have been let go of since the sweep began.
    for (const tracked of due.splice(-SWEEP_AT_ONCE)) if (roster.get(tracked.row.id) === tracked) look(tracked);
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
  ledger: PriceLedger;
  details: WatchedDetails;
  follow: (row: StoredOpportunity) => Tracked;
  drop: (tracked: Tracked) => void;
  /** Takes over a row that was added or edited. */
  adopt: (row: StoredOpportunity) => void;
  /** The same of one that has come from another engine: what stands of its trigger is what that one has recorded. */
  takeOver: (row: StoredOpportunity) => void;
  evaluate: (tracked: Tracked) => void;
  isWanted: (tracked: Tracked) => boolean;
  /** Of those that are open here and another engine's: whether they stand as triggered, and whether they are still there. */
  hearOfOthers: () => Promise<void>;
  flush: () => Promise<void>;
};

function createLoop({ world, quotes, settings, stream, shares, blockersOf, onTrigger }: LivePricesParts): Loop {
  const roster = createRoster();
  const opened = openedOpportunities(world.clock);
  const ledger = createPriceLedger(world, { settings, stream, shares, onTrigger });
  const details = streamWatchedDetails(world, { stream, quotes, settings, blockersOf });

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
  };
  const isWanted = (tracked: Tracked) => opened.isStill(tracked) || (tracked.row.active && shares.owns(tracked.row.id));
  const evaluate = (tracked: Tracked) => {
    const known = quotes.current(tracked.positions);
    details.touch(tracked);
    if (known.some(({ feed }) => feed === 'stale') || !isComplete(known, quotes, tracked)) return;
    ledger
      .settle(tracked, known, { asked: false, mayTrigger: true })
      .catch((error: unknown) => world.log.error({ err: error, opportunity: tracked.row.id }, 'pricing failed'));
  };
  const judgeAnew = (tracked: Tracked, row: StoredOpportunity) => {
    tracked.row = row;
    // A fall that was seen before the edit and not written is no longer true: the row is judged anew below.
    tracked.fellAt = null;
    if (isWanted(tracked)) evaluate(tracked);
    else drop(tracked);
  };
  return {
    roster,
    opened,
    ledger,
    details,
    follow,
    drop,
    evaluate,
    isWanted,
    adopt: (row) => {
      const tracked = roster.get(row.id) ?? (row.active && shares.owns(row.id) ? follow(row) : undefined);
      if (tracked === undefined || (tracked.row !== row && tracked.row.updatedAt >= row.updatedAt)) return;
      judgeAnew(tracked, row);
    },
    takeOver: (row) => {
      const tracked = roster.get(row.id);
      // Read before an edit that has been taken up since, it would stand against every write of what is known.
      if (tracked !== undefined && tracked.row.updatedAt > row.updatedAt) return;
      if (shares.owns(row.id)) judgeAnew(tracked ?? follow(row), row);
    },
    hearOfOthers: () => hearOfOthers(world.db, roster, { shares, stream, drop }),
    flush: async () => {
      for (const tracked of await ledger.flush()) drop(tracked);
      await tellLastingErrors(world, roster.all());
    },
  };
}

async function hearOfOthers(
  db: World['db'],
  roster: Roster,
  { shares, stream, drop }: { shares: Shares; stream: StreamHub; drop: (tracked: Tracked) => void },
): Promise<void> {
  if (shares.held() === null) return;
  const foreign = [...roster.all()].filter(({ row }) => !shares.owns(row.id));
  const ids = foreign.map(({ row }) => row.id);
  const stored = new Map((await readOpportunities(db, ids)).map((row) => [row.id, row]));
  for (const tracked of foreign) {
    const { id } = tracked.row;
    const row = stored.get(id);
    if (row !== undefined && !shares.owns(id)) {
      tracked.row = { ...tracked.row, triggered: row.triggered };
      tracked.fellAt = null;
    }
    if (row !== undefined || roster.get(id) !== tracked) continue;
    drop(tracked);
    stream.publish({ topic: `opportunity:${id}`, type: 'opportunity_deleted', id, data: null });
  }
}

/** Nothing is missing that may only not have come yet. */
function isComplete(known: readonly TrustedQuote[], quotes: QuoteFeed, { positions }: Tracked): boolean {
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
