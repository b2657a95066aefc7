/** The recorded hockey final: its frames, the books after each, and the recording that they make. */
import { createReadStream, existsSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { applyLevelChange, dropBeyondBest, KeptBook } from '@dutchbook/engine/book/book.ts';
import { BlockEncoder } from '@dutchbook/recordings/block.ts';
import type { LoggedBook } from '@dutchbook/recordings/book-log.ts';
import { blockBytes, fileStart } from '@dutchbook/recordings/file.ts';
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { priceFromNumber } from '@dutchbook/units/price.ts';
import { sharesFromNumber } from '@dutchbook/units/shares.ts';
import * as z from 'zod/mini';
import { noteHere } from './noted-here.fixture.ts';

const DATA_DIR = process.env.MARKET_DATA_DIR ?? path.join(import.meta.dirname, '../../../../../shared/data');
const FILES = ['nhl-final-2026-06-07T0130Z', 'nhl-final-2026-06-07T0145Z'].map((name) =>
  path.join(DATA_DIR, 'polymarket/ticks', `${name}.jsonl.gz`),
);
/** The recording as it was published. */
export const HOCKEY_ARCHIVES = ['0130', '0145'].map((time) =>
  path.join(DATA_DIR, 'polymarket/ticks/original', `polymarket_20260607_${time}.parquet`),
);
export const isHockeyFinalPresent = [...FILES, ...HOCKEY_ARCHIVES].every((file) => existsSync(file));

/** About the length of the recorder's own blocks. */
const BLOCK_MS = 1625;
const BLOCK_RECORDS = 2000;

const rowSchema = z.object({
  ...{ timestamp: z.number(), event_type: z.string(), asset_id: z.string(), side: z.string() },
  ...{ price: z.number(), size: z.number(), best_bid: z.number(), best_ask: z.number() },
});
type Row = z.infer<typeof rowSchema>;

/** `others`: the token of the other outcome, by token. */
export type HockeyFinal = { runs: Run[]; others: ReadonlyMap<string, string> };

/** Frames in a row that are of one market and one timestamp; `last`: the last row of each token, by id. */
type Run = { at: Instant; rows: Row[]; last: Row[] };

export async function readHockeyFinal(): Promise<HockeyFinal> {
  const rows: Row[] = [];
  for (const file of FILES) {
    const lines = createInterface({ input: createReadStream(file).pipe(createGunzip()) });
    for await (const line of lines) rows.push(rowSchema.parse(JSON.parse(line)));
  }
  const others = othersOf(rows.filter(isChange));
  return { runs: [...runsOf(rows, others)], others };
}

function isChange({ event_type }: Row): boolean {
  return event_type === 'PRICE_CHANGE';
}

/** Each frame of changes became two rows, one for either outcome of its market. */
function othersOf(rows: readonly Row[]): Map<string, string> {
  const others = new Map<string, string>();
  for (let index = 0; index + 1 < rows.length; index += 2) {
    const [row, mirror] = [rows[index], rows[index + 1]];
    if (row && mirror) others.set(row.asset_id, mirror.asset_id).set(mirror.asset_id, row.asset_id);
  }
  return others;
}

function* runsOf(rows: readonly Row[], others: ReadonlyMap<string, string>): Generator<Run> {
  const keyOf = (row: Row | undefined) =>
    row && `${row.timestamp} ${[row.asset_id, others.get(row.asset_id)].sort().join()}`;
  for (let start = 0, end = 0; start < rows.length; start = end) {
    while (end < rows.length && keyOf(rows[end]) === keyOf(rows[start])) end += 1;
    const changes = rows.slice(start, end).filter(isChange);
    const last = new Map(changes.map((row) => [row.asset_id, row]));
    const sorted = [...last.values()].toSorted((one, other) => (one.asset_id < other.asset_id ? -1 : 1));
    yield { at: instantFromMs(rows[start]?.timestamp ?? 0), rows: changes, last: sorted };
  }
}

/** The book of each token, as the runs applied so far have left it. */
export class TapeBooks {
  readonly #books = new Map<string, KeptBook>();

  apply({ rows, last }: Run): void {
    for (const { asset_id, side, price, size } of rows) {
      applyLevelChange(
        this.of(asset_id),
        side === 'BID' ? 'buy' : 'sell',
        priceFromNumber(price),
        sharesFromNumber(size),
      );
    }
    for (const { asset_id, best_bid, best_ask } of last) {
      dropBeyondBest(this.of(asset_id), priceFromNumber(best_bid), priceFromNumber(best_ask));
    }
  }

  of(tokenId: string): KeptBook {
    const book = this.#books.get(tokenId) ?? new KeptBook();
    this.#books.set(tokenId, book);
    return book;
  }
}

/** `recordsAfter`: how many records there were at the end of each run. */
export async function recordedFinal({ runs, others }: HockeyFinal): Promise<{ bytes: Buffer; recordsAfter: number[] }> {
  const parts = [fileStart('polymarket')];
  const recordsAfter: number[] = [];
  let count = 0;
  let block = new BlockEncoder();
  const noted = noteHere((record) => {
    block.add(record);
    count += 1;
  });
  const books = new TapeBooks();
  const followed = new Map<string, LoggedBook>();
  const follow = (tokenId: string) => {
    const logged = noted.follow(books.of(tokenId), { tokenId, partner: others.get(tokenId) ?? null });
    followed.set(tokenId, logged);
    return logged;
  };
  for (const run of runs) {
    books.apply(run);
    const reported = run.last.map(({ asset_id: tokenId }) => followed.get(tokenId) ?? follow(tokenId));
    noted.tell(run.at, reported);
    recordsAfter.push(count);
    const { span } = block;
    if (span === null || (block.count < BLOCK_RECORDS && span.until - span.from < BLOCK_MS)) continue;
    parts.push(await blockBytes(block));
    block = new BlockEncoder();
  }
  if (block.count > 0) parts.push(await blockBytes(block));
  return { bytes: Buffer.concat(parts), recordsAfter };
}
