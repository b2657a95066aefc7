/** A day of many markets, each of which changes every few seconds: what was recorded of it, made by a seed. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { applyLevelChange, createFollowableBook, replaceBook } from '@dutchbook/engine/book/book.ts';
import type { Level } from '@dutchbook/engine/book/level.ts';
import { BlockEncoder } from '@dutchbook/recordings/block.ts';
import { blockBytes, fileStart } from '@dutchbook/recordings/file.ts';
import { HOUR_MS, recordingName } from '@dutchbook/server/recordings/files.ts';
import { noteHere } from '@dutchbook/server/recordings/noted-here.fixture.ts';
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { complement, type Price, priceFromMicro } from '@dutchbook/units/price.ts';
import { sharesFromMicro } from '@dutchbook/units/shares.ts';

const LEVELS = 10;
const CENT = 10_000;
const BLOCK_MS = 1500;
const SHARE = 1_000_000;

export type DayPlan = { markets: number; hours: number; secondsBetween: number; from: Instant };

export function tokensOf(market: number): [string, string] {
  return [`market-${market}-no`, `market-${market}-yes`];
}

/** The best ask of a market's second outcome moves between these, so that two of them cost about a dollar. */
const ASKS = { lowest: 44, highest: 54 };

class MovingMarket {
  readonly books = [createFollowableBook(), createFollowableBook()] as const;
  #ask = 50;

  constructor() {
    this.#show();
  }

  /** Most changes are of a size somewhere in the book. */
  change(random: () => number): void {
    const [no, yes] = this.books;
    if (random() < 0.1) {
      const to = this.#ask + (random() < 0.5 ? -1 : 1);
      this.#ask = Math.min(ASKS.highest, Math.max(ASKS.lowest, to));
      this.#show();
      return;
    }
    const price = priceFromMicro((this.#ask + Math.floor(random() * LEVELS)) * CENT);
    const size = sharesFromMicro(SHARE * (20 + Math.floor(random() * 200)));
    applyLevelChange(yes, 'sell', price, size);
    applyLevelChange(no, 'buy', complement(price), size);
  }

  #show(): void {
    const [no, yes] = this.books;
    const side = (first: number, step: number): Level[] =>
      Array.from({ length: LEVELS }, (_, place) => ({
        price: priceFromMicro((first + step * place) * CENT),
        size: sharesFromMicro(100 * SHARE),
      }));
    const [bids, asks] = [side(this.#ask - 1, -1), side(this.#ask, 1)];
    const mirrored = (levels: readonly Level[]) =>
      levels.map(({ price, size }) => ({ price: complement(price as Price), size }));
    replaceBook(yes, bids, asks);
    replaceBook(no, mirrored(asks), mirrored(bids));
  }
}

/** Files as the recorder would have written them. @returns how many records they have */
export async function writeDay(folder: string, plan: DayPlan, random: () => number): Promise<number> {
  await mkdir(folder, { recursive: true });
  const markets = Array.from({ length: plan.markets }, () => new MovingMarket());
  const betweenMs = (1000 * plan.secondsBetween) / plan.markets;
  let block = new BlockEncoder();
  let parts: Uint8Array[] = [];
  let records = 0;
  const noted = noteHere((record) => {
    block.add(record);
    records += 1;
  });
  const followed = markets.map(({ books: [no, yes] }, market) => {
    const [lower, higher] = tokensOf(market);
    return [
      noted.follow(no, { tokenId: lower, partner: higher }),
      noted.follow(yes, { tokenId: higher, partner: lower }),
    ];
  });
  const note = (market: number, at: Instant) => noted.tell(at, followed[market] ?? []);
  const endBlock = async () => {
    if (block.count > 0) parts.push(await blockBytes(block));
    block = new BlockEncoder();
  };
  for (let hour = 0; hour < plan.hours; hour += 1) {
    const from = plan.from + hour * HOUR_MS;
    parts = [fileStart('bench')];
    if (hour === 0) for (const market of markets.keys()) note(market, plan.from);
    for (let at = from; at < from + HOUR_MS; at += betweenMs) {
      const market = Math.floor(random() * plan.markets);
      markets[market]?.change(random);
      note(market, instantFromMs(Math.floor(at)));
      if (block.span !== null && at - block.span.from >= BLOCK_MS) await endBlock();
    }
    await endBlock();
    const name = recordingName(instantFromMs(from), hour.toString(16).padStart(8, '0'));
    await writeFile(path.join(folder, name), Buffer.concat(parts));
  }
  return records;
}
