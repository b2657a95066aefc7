import { createReadStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import * as z from 'zod';

const DATA_DIR = process.env.MARKET_DATA_DIR ?? join(import.meta.dirname, '../../shared/data');
const FILE = join(DATA_DIR, 'polymarket/ticks/nhl-final-2026-06-07T0130Z.jsonl.gz');

const recordedRow = z.object({
  timestamp: z.int(),
  price: z.number(),
  size: z.number(),
  best_bid: z.number(),
  best_ask: z.number(),
  side: z.enum(['BID', 'ASK']),
  event_type: z.enum(['PRICE_CHANGE', 'LAST_TRADE']),
  asset_id: z.string(),
});
type Row = z.output<typeof recordedRow>;

/** One change of a price on one market: the same level on both of its tokens. */
export type RecordedFrame = { timestampMs: number; rows: readonly [Row, Row] };

export type Recording = {
  frames: RecordedFrame[];
  /** The two tokens of each market. */
  markets: (readonly [string, string])[];
};

/** The first `count` frames of the recorded hockey final; null where the recording is not there. */
export async function readRecordedFrames(count: number): Promise<Recording | null> {
  if (!existsSync(FILE)) return null;
  const frames: RecordedFrame[] = [];
  const markets = new Map<string, readonly [string, string]>();
  let first: Row | null = null;
  for await (const line of createInterface({ input: createReadStream(FILE).pipe(createGunzip()) })) {
    const row = recordedRow.parse(JSON.parse(line));
    if (row.event_type === 'LAST_TRADE') continue;
    if (first === null) {
      first = row;
      continue;
    }
    const tokens = [first.asset_id, row.asset_id].toSorted() as [string, string];
    markets.set(tokens.join(), tokens);
    frames.push({ timestampMs: first.timestamp, rows: [first, row] });
    first = null;
    if (frames.length === count) break;
  }
  return { frames, markets: [...markets.values()] };
}

/** The frame as the venue's market channel writes it, about other tokens and at another time. */
export function wireText(
  frame: RecordedFrame,
  marketId: string,
  tokenOf: (tokenId: string) => string,
  timestampMs: number,
) {
  return JSON.stringify({
    market: marketId,
    price_changes: frame.rows.map((row) => ({
      asset_id: tokenOf(row.asset_id),
      price: String(row.price),
      size: String(row.size),
      side: row.side === 'BID' ? 'BUY' : 'SELL',
      hash: '0f1c6c1b1d1e5c5f4a8f0c1b7f7a1a1d2e3f4a5b',
      best_bid: String(row.best_bid),
      best_ask: String(row.best_ask),
    })),
    timestamp: String(timestampMs),
    event_type: 'price_change',
  });
}
