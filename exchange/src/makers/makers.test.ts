import type { Instant } from '@dutchbook/units/instant.ts';
import { ONE_SHARE } from '@dutchbook/units/shares.ts';
import { describe, expect, it } from 'vitest';
import { buildCatalogue } from '../catalogue/listing.ts';
import { NO_FAULTS } from '../faults/no-faults.fixture.ts';
import { takerFee } from '../matching/fee.ts';
import { ExchangeClock } from '../matching-engine/clock.ts';
import type { Market } from '../matching-engine/market.ts';
import { MarketDirectory } from '../matching-engine/market.ts';
import { MatchingEngine } from '../matching-engine/matching-engine.ts';
import { Makers } from './makers.ts';
import { seededRandom } from './random.ts';

const START = 1_780_000_000_000 as Instant;
const TEN_MINUTES_MS = 600_000;

/** A wall clock that jumps from timer to timer. */
function jumpingTimers() {
  let nowMs: number = START;
  let next: { run: () => void; atMs: number } | undefined;
  return {
    timers: {
      now: () => nowMs,
      setTimeout: (run: () => void, ms: number) => {
        next = { run, atMs: nowMs + ms };
        return next;
      },
      clearTimeout: () => {
        next = undefined;
      },
    },
    /** Runs the next timer and returns the time it came at. */
    jump: () => {
      const due = next;
      next = undefined;
      nowMs = due?.atMs ?? nowMs;
      due?.run();
      return nowMs - START;
    },
  };
}

function openMakers(seed: number) {
  const { timers, jump } = jumpingTimers();
  const clock = new ExchangeClock({ ...timers, setTimeout: () => 0, clearTimeout: () => {} });
  const directory = new MarketDirectory(buildCatalogue(seed, START), START);
  const engine = new MatchingEngine({ clock, directory, faults: NO_FAULTS, settle: () => {} });
  const makers = new Makers(engine, seededRandom(seed), timers);
  makers.resume();
  return { engine, jump };
}

/** What buying one complete set pays of its cost after fees: YES on everything, or NO on everything. */
function profits(markets: readonly Market[]): { yes: number; no: number; depth: number } {
  let yesCost = 0;
  let noCost = 0;
  let depth = Number.POSITIVE_INFINITY;
  for (const { book, listing } of markets) {
    const ask = book.best('ask');
    const bid = book.best('bid');
    if (ask === undefined || bid === undefined) throw new Error('every market is quoted on both sides');
    yesCost += ask + takerFee(ONE_SHARE, ask, listing.feeRate);
    noCost += 1_000_000 - bid + takerFee(ONE_SHARE, bid, listing.feeRate);
    depth = Math.min(depth, book.sizeAt('ask', ask), book.sizeAt('bid', bid));
  }
  return { yes: 1_000_000 / yesCost - 1, no: ((markets.length - 1) * 1_000_000) / noCost - 1, depth };
}

/** How much and how long sets paid over ten minutes of trading. */
function watch(seed: number) {
  const { engine, jump } = openMakers(seed);
  const groups = engine.directory.events
    .filter(({ negRisk }) => negRisk)
    .map(({ isExhaustive, markets }) => ({
      isExhaustive,
      markets: markets.flatMap(({ conditionId }) => engine.directory.market(conditionId) ?? []),
    }));
  const bargains: { startMs: number; endMs: number; profit: number; depth: number }[] = [];
  let current: (typeof bargains)[number] | undefined;
  for (let atMs = 0; atMs < TEN_MINUTES_MS; atMs = jump()) {
    const cheap = groups.filter(({ isExhaustive }) => isExhaustive).map(({ markets }) => profits(markets));
    const best = cheap.reduce((a, b) => (Math.max(a.yes, a.no) >= Math.max(b.yes, b.no) ? a : b));
    const profit = Math.max(best.yes, best.no);
    if (profit <= 0) {
      current = undefined;
      continue;
    }
    current ??= bargains[bargains.push({ startMs: atMs, endMs: atMs, profit, depth: best.depth }) - 1];
    if (current !== undefined) current.endMs = atMs;
  }
  return bargains;
}

describe('the market makers', () => {
  it.each([1, 2, 3])('leave a complete set too cheap now and then, by 1 to 4 percent, at depth (seed %i)', (seed) => {
    const bargains = watch(seed);
    expect(bargains.length).toBeGreaterThanOrEqual(8);
    for (const { startMs, endMs, profit, depth } of bargains) {
      expect(profit).toBeGreaterThan(0.01);
      expect(profit).toBeLessThan(0.04);
      expect(depth).toBeGreaterThanOrEqual(50 * ONE_SHARE);
      if (endMs < TEN_MINUTES_MS - 1_000) expect(endMs - startMs).toBeGreaterThan(9_000);
      expect(endMs - startMs).toBeLessThan(26_000);
    }
    const gaps = bargains.slice(1).map(({ startMs }, position) => startMs - (bargains[position]?.endMs ?? 0));
    for (const gap of gaps) expect(gap).toBeLessThan(42_000);
  });

  it('keep every step of a ladder worth no less than a harder one', () => {
    const { engine, jump } = openMakers(4);
    const ladders = engine.directory.events.filter(({ isLadder }) => isLadder);
    expect(ladders).toHaveLength(3);
    for (let atMs = 0; atMs < TEN_MINUTES_MS; atMs = jump()) {
      for (const { markets } of ladders) {
        const steps = markets.flatMap(({ conditionId }) => engine.directory.market(conditionId)?.book ?? []);
        for (const [index, harder] of steps.slice(1).entries())
          expect(steps[index]?.best('ask')).toBeGreaterThan(harder.best('bid') ?? 0);
      }
    }
  });

  it('quote several levels on both sides of every market and change some book several times a second', () => {
    const { engine, jump } = openMakers(7);
    for (const { book } of engine.directory.all()) {
      expect(book.levels('bid').length).toBeGreaterThan(0);
      expect(book.levels('ask').length).toBeGreaterThan(0);
      expect(book.levels('bid').length + book.levels('ask').length).toBeGreaterThanOrEqual(7);
    }
    let changes = 0;
    const touched = new Set<Market>();
    engine.announcer.listen({
      levelsChanged: (market) => {
        changes += 1;
        touched.add(market);
      },
    });
    for (let atMs = 0; atMs < 60_000; atMs = jump());
    expect(changes).toBeGreaterThan(3 * 60);
    expect(touched.size).toBeGreaterThan(50);
  });

  it('make the same markets from the same seed, and others from another', () => {
    const ids = (seed: number) =>
      buildCatalogue(seed, START).flatMap(({ markets }) => markets.map(({ tokens }) => tokens));
    expect(ids(1)).toEqual(ids(1));
    expect(ids(1)).not.toEqual(ids(2));
    expect(new Set(ids(1).flat()).size).toBe(2 * ids(1).length);
    expect(ids(1).length).toBeGreaterThanOrEqual(60);
  });
});
