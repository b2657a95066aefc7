import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { NO_FAULTS } from '../faults/no-faults.fixture.ts';
import { bookSideOf, unifiedPrice } from '../matching/order.ts';
import { ExchangeClock } from '../matching-engine/clock.ts';
import { MarketDirectory } from '../matching-engine/market.ts';
import { MatchingEngine } from '../matching-engine/matching-engine.ts';
import { framesOf } from './frames.ts';
import { RecordedBooks } from './recorded-books.ts';
import { type RecordedRow, readRecording } from './recording.ts';
import { surveyRecording } from './survey.ts';

const DATA_DIR = process.env.MARKET_DATA_DIR ?? join(import.meta.dirname, '../../../../shared/data');
const FILES = ['nhl-final-2026-06-07T0130Z', 'nhl-final-2026-06-07T0145Z'].map((name) =>
  join(DATA_DIR, 'polymarket/ticks', `${name}.jsonl.gz`),
);
const isPresent = FILES.every((file) => existsSync(file));
if (!isPresent)
  process.stdout.write('recorded market data is not there: the replay of real recordings is not tested\n');

/** Books start empty, so the first minute cannot be complete. */
const WARM_UP_MS = 60_000;

describe.runIf(isPresent)('replaying the recorded hockey final', () => {
  it('keeps books whose best prices are the recorded ones at the end of every group of one timestamp', async () => {
    const clock = new ExchangeClock({ now: () => 1_780_000_000_000, setTimeout: () => 0, clearTimeout: () => {} });
    const directory = new MarketDirectory(await surveyRecording(FILES, clock.now()), clock.now());
    expect(directory.all()).toHaveLength(6);
    const engine = new MatchingEngine({ clock, directory, faults: NO_FAULTS, settle: () => {} });
    const books = new RecordedBooks(engine);
    const lastOfToken = new Map<string, RecordedRow>();
    const counts = { groups: 0, agreeing: 0 };
    let startMs = 0;
    const closeGroup = () => {
      for (const row of lastOfToken.values()) {
        counts.groups += 1;
        if (agrees(engine, row)) counts.agreeing += 1;
      }
      lastOfToken.clear();
    };
    for await (const frames of framesOf(readRecording(FILES))) {
      for (const frame of frames) {
        const [{ at }] = frame;
        startMs ||= at;
        if ([...lastOfToken.values()].some((row) => row.at !== at)) closeGroup();
        books.apply(frame);
        for (const row of frame)
          if (row.kind === 'level' && at >= startMs + WARM_UP_MS) lastOfToken.set(row.tokenId, row);
      }
    }
    closeGroup();
    expect(counts.groups).toBeGreaterThan(100_000);
    expect(counts.agreeing).toBe(counts.groups);
  });
});

function agrees(engine: MatchingEngine, row: RecordedRow): boolean {
  const token = engine.directory.token(row.tokenId);
  if (token === undefined) return false;
  const { market, outcome } = token;
  const bid = market.book.best(bookSideOf('BUY', outcome));
  const ask = market.book.best(bookSideOf('SELL', outcome));
  return bid === unifiedPrice(row.bestBid, outcome) && ask === unifiedPrice(row.bestAsk, outcome);
}
