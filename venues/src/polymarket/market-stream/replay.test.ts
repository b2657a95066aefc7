import { createReadStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { type Book, bestAsk, bestBid } from '@dutchbook/engine/book/book.ts';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { PRICE_ONE, type Price, priceFromNumber } from '@dutchbook/units/price.ts';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ExchangeControl } from '../../conformance/control.ts';
import { startExchangeProcess } from '../../conformance/exchange-process.ts';
import { Journal } from '../../conformance/journal.ts';
import type { MarketStream, VenueRuntime } from '../../venue.ts';
import { POLYMARKET_DEFAULTS } from '../config.ts';
import { openPolymarket } from '../polymarket.ts';

const DATA_DIR = process.env.MARKET_DATA_DIR ?? join(import.meta.dirname, '../../../../../shared/data');
const FILES = ['nhl-final-2026-06-07T0130Z', 'nhl-final-2026-06-07T0145Z'].map((name) =>
  join(DATA_DIR, 'polymarket/ticks', `${name}.jsonl.gz`),
);
const isPresent = FILES.every((file) => existsSync(file));
if (!isPresent) process.stdout.write('recorded market data is not there: the replay of recordings is not tested\n');

/** The recording begins in the middle of a session without snapshots, so its first minute cannot be complete. */
const WARM_UP_MS = 60_000;
/** Long enough that nothing but the recorded frames touches the books while the recording plays. */
const NEVER_MS = 3_600_000;
const PLAYED_WITHIN_MS = 150_000;

describe.runIf(isPresent)('the recorded hockey final, replayed over a socket', () => {
  it('rebuilds books that show the recorded best prices, and never a set that was not on offer', async () => {
    const { frames, otherToken } = await readRecording();
    const exchange = await startExchangeProcess({
      environment: { EXCHANGE_REPLAY: FILES.join(','), EXCHANGE_REPLAY_SPEED: 'max' },
      isPaused: true,
    });
    const venue = await openPolymarket(replayConfig(exchange.url), RUNTIME);
    const journal = new Journal();
    const counts = { frames: 0, groups: 0, agreeing: 0, announced: 0, phantomSets: 0 };
    const stream: MarketStream = venue.openMarketStream({
      onFrame: (venueTimestamp) => {
        const frame = frames[counts.frames++];
        if (frame?.timestamp !== venueTimestamp) throw new Error(`frame ${counts.frames} is not the recorded one`);
        for (const { tokenId, best } of frame.groupEnds) {
          counts.groups += 1;
          if (bestOf(stream, tokenId) === best) counts.agreeing += 1;
        }
      },
      onBooks: (tokenIds) =>
        journal.add(() => {
          counts.announced += tokenIds.length;
          for (const tokenId of tokenIds) if (isPhantomSet(stream, tokenId, otherToken)) counts.phantomSets += 1;
        }),
      onTrust: () => journal.add(() => undefined),
      onTick: () => undefined,
      onResolved: () => undefined,
    });
    try {
      stream.subscribe([...otherToken.keys()]);
      await journal.until('every book has its empty snapshot', () => stream.health().staleTokens === 0);
      await new ExchangeControl(exchange.url).resume();
      await journal.until('all was played', () => counts.frames === frames.length, PLAYED_WITHIN_MS);
    } finally {
      await venue.close();
      await exchange.stop();
    }
    expect(counts).toMatchObject({ frames: 178_637, groups: 289_930, agreeing: 289_930, phantomSets: 0 });
    expect(counts.announced).toBeGreaterThan(250_000);
  });
});

const RUNTIME: VenueRuntime = {
  now: () => instantFromMs(Date.now()),
  random: Math.random,
  log: { info: () => undefined, warn: () => undefined },
};

/** Best bid and ask in micro-dollars, written so that two can be compared. */
type Best = `${number}/${number}`;

/**
 * A frame as it was on the wire. `groupEnds` is what was stated last in the run of frames of one market and one
 * timestamp that ends with this frame; empty for other frames and in the first minute.
 */
type Frame = { timestamp: number; groupEnds: { tokenId: string; best: Best }[] };

const rowSchema = z.object({
  timestamp: z.number(),
  price: z.number(),
  best_bid: z.number(),
  best_ask: z.number(),
  event_type: z.string(),
  asset_id: z.string(),
});
type Row = z.infer<typeof rowSchema>;

/** Each frame became two rows, one for either outcome of its market. */
async function readRecording(): Promise<{ frames: Frame[]; otherToken: Map<string, string> }> {
  const rows: Row[] = [];
  for (const file of FILES) {
    const lines = createInterface({ input: createReadStream(file).pipe(createGunzip()) });
    for await (const line of lines) rows.push(rowSchema.parse(JSON.parse(line)));
  }
  const changes = rows.filter((row) => row.event_type === 'PRICE_CHANGE');
  const otherToken = new Map<string, string>();
  for (let index = 0; index + 1 < changes.length; index += 2) {
    const [row, mirror] = [changes[index], changes[index + 1]];
    if (row && mirror) otherToken.set(row.asset_id, mirror.asset_id).set(mirror.asset_id, row.asset_id);
  }
  return { frames: framesOf(rows, otherToken), otherToken };
}

function framesOf(rows: readonly Row[], otherToken: ReadonlyMap<string, string>): Frame[] {
  const frames: Frame[] = [];
  const startMs = (rows[0]?.timestamp ?? 0) + WARM_UP_MS;
  const stated = new Map<string, Row>();
  let runKey = '';
  let isSecondHalf = false;
  const endRun = () => {
    const ends = [...stated.values()].filter(({ timestamp }) => timestamp >= startMs);
    frames.at(-1)?.groupEnds.push(...ends.map((row) => ({ tokenId: row.asset_id, best: statedBest(row) })));
    stated.clear();
  };
  for (const row of rows) {
    const key = `${row.timestamp} ${[row.asset_id, otherToken.get(row.asset_id)].sort().join()}`;
    if (key !== runKey) endRun();
    runKey = key;
    if (row.event_type !== 'PRICE_CHANGE') continue;
    if (!isSecondHalf) frames.push({ timestamp: row.timestamp, groupEnds: [] });
    isSecondHalf = !isSecondHalf;
    stated.set(row.asset_id, row);
  }
  endRun();
  return frames;
}

function statedBest(row: Row): Best {
  return `${priceFromNumber(row.best_bid)}/${priceFromNumber(row.best_ask)}`;
}

function replayConfig(url: string) {
  return {
    ...POLYMARKET_DEFAULTS,
    clobUrl: url,
    gammaUrl: `${url}/gamma`,
    wsUrl: `${url.replace('http', 'ws')}/ws`,
    stream: {
      ...POLYMARKET_DEFAULTS.stream,
      silenceMs: NEVER_MS,
      compareEveryMs: NEVER_MS,
      resyncAfterMs: NEVER_MS,
    },
  };
}

function bestOf(stream: MarketStream, tokenId: string): Best {
  const book = stream.book(tokenId)?.book;
  return `${(book && bestBid(book)) ?? 0}/${(book && bestAsk(book)) ?? PRICE_ONE}`;
}

/** Both outcomes together cost a dollar at least and fetch one at most; anything else was never on offer. */
function isPhantomSet(stream: MarketStream, tokenId: string, otherToken: ReadonlyMap<string, string>): boolean {
  const books = [tokenId, otherToken.get(tokenId) ?? ''].map((id) => stream.book(id)?.book);
  const sum = (best: (book: Book) => Price | null, missing: number) =>
    books.reduce((total, book) => total + ((book && best(book)) ?? missing), 0);
  return sum(bestAsk, PRICE_ONE) < PRICE_ONE || sum(bestBid, 0) > PRICE_ONE;
}
