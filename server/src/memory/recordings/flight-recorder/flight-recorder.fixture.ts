/** Calls that read moments, over books that a test moves and that are recorded as the product records them. */
import { setTimeout as pause } from 'node:timers/promises';
import type { MomentLeg } from '@dutchbook/contract/flight-recorder.ts';
import { applyLevelChange } from '@dutchbook/engine/book/book.ts';
import type { Market } from '@dutchbook/engine/market/market.ts';
import type { Position } from '@dutchbook/engine/opportunity/position.ts';
import { marketOf } from '@dutchbook/engine/opportunity/quotes.fixture.ts';
import { type Instant, instantFromIso, instantToIso } from '@dutchbook/units/instant.ts';
import { priceFromText, priceToNumber } from '@dutchbook/units/price.ts';
import { sharesFromText, sharesToNumber } from '@dutchbook/units/shares.ts';
import type { JournalRow } from '../../../market/decision-journal/read.ts';
import { toStored } from '../../../market/decision-journal/stored.ts';
import { decisionJournal } from '../../../market/decision-journal/table.ts';
import type { LiveQuote } from '../../../market/markets/live-quotes.ts';
import { liveQuote } from '../../../market/prices/quotes/live-quote.ts';
import { onlyEngine } from '../../../platform/engines/engines.ts';
import { openTestApp, type TestApp } from '../../../platform/http/app.fixture.ts';
import { ask } from '../../../platform/http/ask.fixture.ts';
import { DEFAULT_SETTINGS } from '../../../trading/execution/runner/runner.fixture.ts';
import { type ScriptedTokens, scriptedTokens } from '../recorder.fixture.ts';
import { openRecordings, type Recordings } from '../recordings.ts';
import { registerFlightRecorder } from './routes.ts';

type PlainLevel = { price: number; size: number };
export type PlainLeg = Omit<MomentLeg, 'bids' | 'asks'> & { bids: PlainLevel[] | null; asks: PlainLevel[] | null };
export type PlainMoment = { at: string; legs: PlainLeg[] } & Record<string, unknown>;
export type PlainAnswer = {
  legs: Record<string, unknown>[];
  moments: PlainMoment[];
  unknown: { from: string; until: string; reason: string }[];
  next: string | null;
} & Record<string, unknown>;

/** Prices look at the best level alone. */
export const PLAIN_PRICES = { ...DEFAULT_SETTINGS, USE_ORDER_BOOK_PRICES: true, ENABLE_CUMULATIVE_PRICING: false };

export type FlightRecorderSite = TestApp &
  ScriptedTokens & {
    recordings: Recordings;
    /** The venue has it now. */
    know: (market: Market) => void;
    now: () => Instant;
    /** Sets a level of a token's book, and tells of it. */
    set: (tokenId: string, side: 'buy' | 'sell', price: string, size: string) => void;
    /** How the book of a token stood at a moment; null where it had none. */
    stood: (tokenId: string, at: string) => { bids: PlainLevel[]; asks: PlainLevel[] } | null;
    read: (path: string) => Promise<[status: number, body: PlainAnswer]>;
    note: (topic: JournalRow['topic'], subject: string, data: object | null) => Promise<void>;
    /** Lets time pass until the background work has got there. */
    until: (check: () => Promise<boolean>) => Promise<void>;
  };

const TICKS = 200;
const REAL_MS = 10;

export async function openFlightRecorderSite(variables: Record<string, string> = {}): Promise<FlightRecorderSite> {
  const site = await openTestApp({ variables: { VENUE: 'simulated', ...variables } });
  const { runtime, time } = site.test;
  const scripted = scriptedTokens(runtime.clock);
  const recordings = openRecordings(runtime, scripted.tokens, onlyEngine().partitions);
  const known = new Map<string, Market>();
  registerFlightRecorder(site.app, {
    ...{ runtime, recordings, settings: { current: () => PLAIN_PRICES } },
    quotes: { current: (positions) => positions.map((position) => nowOf(position, known.get(position.marketId))) },
  });
  const { headers } = await site.signedIn({ email: 'desk@example.com' });
  const history: { at: Instant; tokenId: string; bids: PlainLevel[]; asks: PlainLevel[] }[] = [];
  return {
    ...site,
    ...scripted,
    recordings,
    know: (market) => known.set(market.id, market),
    now: runtime.clock.now,
    set: (tokenId, side, price, size) => {
      const book = scripted.book(tokenId);
      applyLevelChange(book, side, priceFromText(price), sharesFromText(size));
      const plain = (levels: typeof book.bids) =>
        levels.map((level) => ({ price: priceToNumber(level.price), size: sharesToNumber(level.size) }));
      history.push({ at: runtime.clock.now(), tokenId, bids: plain(book.bids), asks: plain(book.asks) });
      scripted.tell(tokenId);
    },
    stood: (tokenId, at) => {
      const found = history.findLast((each) => each.tokenId === tokenId && each.at <= instantFromIso(at));
      return found === undefined ? null : { bids: found.bids, asks: found.asks };
    },
    read: async (path) => (await ask(site, headers, 'GET', path)) as unknown as [number, PlainAnswer],
    note: async (topic, subject, data) => {
      const stored = data === null ? null : toStored(topic, data as never);
      await runtime.db
        .insert(decisionJournal)
        .values({ venue: recordings.venue, at: runtime.clock.now(), topic, subject, data: stored });
    },
    until: async (check) => {
      for (let tick = 0; tick < TICKS; tick += 1) {
        if (await check()) return;
        await pause(REAL_MS);
        await time.advance(100);
      }
      throw new Error('it did not happen');
    },
    [Symbol.asyncDispose]: async () => {
      await recordings.stop();
      await site[Symbol.asyncDispose]();
    },
  };
}

/** The legs as they stood at each moment, by what each tells to have changed. */
export function* played(moments: readonly PlainMoment[]): Generator<{ at: string; legs: PlainLeg[] }> {
  const legs: PlainLeg[] = [];
  for (const moment of moments) {
    for (const leg of moment.legs) legs[leg.index] = leg;
    yield { at: moment.at, legs: [...legs] };
  }
}

function nowOf(position: Position, market: Market | undefined): LiveQuote {
  const nothing = { held: undefined, midpoint: null, lastTrade: null };
  return liveQuote(position, { tokenId: null, market, whyLeftOut: null, ...nothing });
}

/** A market whose first outcome is the token `<id>:yes`. */
export function marketWithBooks(id: string) {
  const outcomes = ['Yes', 'No'].map((outcome) => ({ outcome, tokenId: `${id}:${outcome.toLowerCase()}` }));
  return marketOf(id, { outcomes });
}

export const span = (from: Instant, until: Instant) => `from=${instantToIso(from)}&until=${instantToIso(until)}`;
