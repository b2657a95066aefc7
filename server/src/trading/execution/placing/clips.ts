/**
 * Buys what still pays after a batch of an opportunity is whole: the next clip, decided from what is stored, so that a process that dies
 * between two clips goes on with the series, and two processes that see the same end buy one.
 */
import { isNextClipDue, mayGoOn, SERIES_MS, whyNoMore } from '@dutchbook/engine/desk/next-clip.ts';
import { inServingOrder } from '@dutchbook/engine/desk/serving-order.ts';
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { VenueUnavailable } from '@dutchbook/venues/venue.ts';
import type { LiveQuote } from '../../../market/markets/live-quotes.ts';
import { positionsOf } from '../../../market/opportunities/identity.ts';
import type { LivePrices } from '../../../market/opportunities/live-prices.ts';
import { refusalUpdate } from '../../../market/opportunities/note-refusal.ts';
import { readOpportunities, type StoredOpportunity } from '../../../market/opportunities/store.ts';
import { notifyingOf, recordOnceLeft } from '../../../people/notifications/deferred.ts';
import { deskSettings } from '../../../people/system-settings/in-units.ts';
import { actionStatements, THE_SYSTEM } from '../../../platform/audit/record.ts';
import { pipelined } from '../../../platform/database/pipelined.ts';
import { together } from '../../../platform/database/write-together.ts';
import type { Partitions } from '../../../platform/engines/partitions.ts';
import type { Placing } from '../../orders/intents.ts';
import { readSeries, type StoredSeries } from '../../orders/series.ts';
import { openPlacing, triggeredBy } from './placing.ts';
import type { Carriers, PlaceParts, PlacingRequest } from './request.ts';
import { seriesState } from './series-state.ts';

/** How often the stored series are read, besides at the end of each batch. */
const LOOK_EVERY_MS = 1000;
/** A refused clip is judged again when a best ask has changed, or after this time. */
const JUDGE_AGAIN_MS = 5000;

type ClipParts = PlaceParts & {
  placing: Carriers & Pick<Placing, 'isReconciled'> & { onRested: (react: () => void) => () => void };
  live: Pick<LivePrices, 'rowsNow'>;
  partitions: Pick<Partitions, 'held'>;
};

type Hit = { series: StoredSeries; row: StoredOpportunity; rise: { row: StoredOpportunity; quotes: LiveQuote[] } };

export type Clips = {
  /** Buys what is due. */
  look: () => Promise<void>;
  stop: () => Promise<void>;
};

export function startClips(parts: ClipParts): Clips {
  const { runtime, settings, placing } = parts;
  const refused = new Map<string, { asks: string; at: Instant }>();
  /** IDs of the opportunities of which a clip is being bought. */
  const buying = new Set<string>();
  const rounds = new Set<Promise<void>>();
  let looking: Promise<void> | null = null;
  let isAskedAgain = false;

  function isOn(): boolean {
    const { size, placesAutomatically, practice } = deskSettings(settings.current());
    const mayLeave = parts.desks.all.some(({ controls }) => controls.current().armed) || practice;
    return size.kind !== 'smallest' && placesAutomatically && mayLeave;
  }

  /** The clips that are due, without opportunities that are being bought: their series may have been read before the clip was recorded. */
  async function hitsNow() {
    const before = new Set(buying);
    const since = instantFromMs(runtime.clock.now() - SERIES_MS);
    const stored = await readSeries(runtime.db, since, parts.partitions.held());
    const due = stored.filter((series) =>
      mayGoOn({ ...series, isDisarmedSince: false }, deskSettings(settings.current())),
    );
    for (const id of refused.keys()) if (!due.some(({ opportunityId }) => opportunityId === id)) refused.delete(id);
    const ids = stored.map(({ opportunityId }) => opportunityId);
    const opportunities = await readOpportunities(runtime.db, ids);
    await noteStops(parts, stored, new Map(opportunities.map((row) => [row.id, row])));
    if (due.length === 0 || !isOn()) return [];
    const rows = new Map(parts.live.rowsNow(opportunities).map((row) => [row.id, row]));
    const free = due.filter(({ opportunityId: id }) => !before.has(id));
    const hits = free.flatMap((series) => hitOf(series, rows.get(series.opportunityId)));
    return inServingOrder(hits, runtime.clock.now());
  }

  function hitOf(series: StoredSeries, row: StoredOpportunity | undefined) {
    if (row === undefined) return [];
    const positions = positionsOf(row.marketCombinations);
    if (!isNextClipDue(seriesState(series, positions, parts.desks), row, deskSettings(settings.current()))) return [];
    const quotes = parts.quotes.current(positions);
    return wasRefused(row.id, quotes) ? [] : [{ series, row, rise: { row, quotes } }];
  }

  function wasRefused(id: string, streamed: readonly LiveQuote[]): boolean {
    const before = refused.get(id);
    const isRecent = before !== undefined && runtime.clock.now() - before.at < JUDGE_AGAIN_MS;
    return isRecent && before.asks === asksOf(streamed);
  }

  /** Reads the books of all hits at once, then buys in order each that still pays. */
  async function buyInOrder(hits: readonly Hit[]): Promise<void> {
    for (const { row } of hits) buying.add(row.id);
    const awaited = hits.map((hit) => ({ ...hit, books: booksOf(hit) }));
    for (const { books } of awaited) books.catch(() => {});
    for (const { series, row, books } of awaited) {
      try {
        const quotes = await books;
        // Settings may have changed since it was due.
        if (!isOn() || !mayGoOn(seriesState(series, quotes, parts.desks), deskSettings(settings.current()))) continue;
        if (await buyClip(parts, series, triggeredBy(row, quotes, runtime.clock.now))) refused.delete(row.id);
      } catch (error) {
        if (error instanceof VenueUnavailable)
          runtime.log.warn({ opportunityId: row.id, reason: error.message }, 'next clip put off, books not read');
        else runtime.log.error({ err: error, opportunityId: row.id }, 'next clip not bought, repeated');
      } finally {
        buying.delete(row.id);
      }
    }
  }

  /** Read from the venue: a book of the stream may not show yet what the clip before took from it. */
  async function booksOf({ row, rise: { quotes: streamed } }: Hit): Promise<LiveQuote[]> {
    runtime.pass('clip_due');
    refused.set(row.id, { asks: asksOf(streamed), at: runtime.clock.now() });
    return comparedAs(streamed, await parts.quotes.fresh(streamed));
  }

  async function lookWhileAsked(): Promise<void> {
    do {
      isAskedAgain = false;
      if (!placing.isReconciled()) continue;
      const round = buyInOrder(await hitsNow()).finally(() => rounds.delete(round));
      rounds.add(round);
    } while (isAskedAgain);
  }

  async function look(): Promise<void> {
    isAskedAgain = true;
    looking ??= lookWhileAsked()
      .catch((error: unknown) => runtime.log.error({ err: error }, 'next clips not looked for, repeated'))
      .finally(() => {
        looking = null;
      });
    await looking;
    await Promise.all(rounds);
  }

  const stops = [placing.onRested(() => void look()), runtime.timers.every(LOOK_EVERY_MS, look)];
  return {
    look,
    stop: async () => {
      for (const stop of stops) stop();
      await looking;
      await Promise.all(rounds);
    },
  };
}

/** Keeps why no more is bought, which the opportunity says from then on, and so does each time in which its relation pays. */
async function noteStops(
  { runtime, settings, desks }: PlaceParts,
  all: readonly StoredSeries[],
  opportunities: ReadonlyMap<string, StoredOpportunity>,
): Promise<void> {
  const current = deskSettings(settings.current());
  for (const series of all) {
    const row = opportunities.get(series.opportunityId);
    const state = row && seriesState(series, positionsOf(row.marketCombinations), desks);
    const why = state && whyNoMore(state, current);
    // An earlier refusal, of the last rise or of the next clip, stays.
    if (row?.refusal === null && why) await refusalUpdate(runtime.db, row, why);
  }
}

/** Places the next clip. False where a gate refuses it, or another batch of the opportunity was placed since the series was read. */
async function buyClip(parts: ClipParts, series: StoredSeries, request: PlacingRequest): Promise<boolean> {
  const { runtime } = parts;
  const { opportunity } = request;
  const placing = openPlacing(parts, parts.placing, { ...request, clip: series });
  let batchId: string | null = null;
  try {
    await pipelined(runtime.priorityDb, async ({ send, commitWith }) => {
      const decided = await placing.look(send)();
      if ('refusals' in decided) {
        // A change between judging and recording is no lasting reason.
        if (decided.by !== undefined)
          await commitWith([refusalUpdate(runtime.db, opportunity, decided.refusals.join(' '))]);
        return;
      }
      const { writes, calls, notifications, action } = decided;
      const notifying = notifyingOf(runtime, decided, notifications);
      const goesOn = refusalUpdate(runtime.db, opportunity, null);
      const recording = together([...writes, goesOn, ...notifying.writes], [...calls, ...notifying.calls]);
      await commitWith([recording, ...actionStatements(runtime, THE_SYSTEM, action)]);
      batchId = decided.batchId;
      if (decided.leavesAtOnce) recordOnceLeft(runtime, batchId);
    });
    return batchId !== null;
  } finally {
    placing.end(batchId);
  }
}

/** Quotes read anew with the differences between the venue's sources, which only the followed quotes know. */
function comparedAs(followed: readonly LiveQuote[], quotes: readonly LiveQuote[]): LiveQuote[] {
  return quotes.map((quote, index) => {
    const differences = followed[index]?.market?.differences;
    if (quote.market === undefined || differences === undefined) return quote;
    return { ...quote, market: { ...quote.market, differences } };
  });
}

function asksOf(quotes: readonly LiveQuote[]): string {
  return JSON.stringify(quotes.map(({ book }) => book?.asks[0] ?? null));
}
