/** The whole product on an exchange whose books a test moves by a seed, and what is rehearsed of it afterwards. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { RehearsalChanges } from '@dutchbook/contract/rehearsals.ts';
import { writeSystemSettings } from '@dutchbook/contract/system-settings.ts';
import { RecordedBooks } from '@dutchbook/recordings/follow-books.ts';
import type { Recorded } from '@dutchbook/recordings/record.ts';
import { type JournalRow, journalBetween } from '@dutchbook/server/market/decision-journal/read.ts';
import { mergedRecords } from '@dutchbook/server/memory/recordings/merged-records.ts';
import { type Rehearsed, runRehearsal } from '@dutchbook/server/memory/rehearsals/run.ts';
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { migratedDatabase } from '../product/database.ts';
import { type RunningExchange, startExchange } from '../product/exchange.ts';
import { type Product, startProduct } from '../product/product.ts';
import { cheapThreeWay, type ThreeWay } from '../product/three-way.ts';

const VENUE = 'simulated';
/** What was seen is written within a second, and what was recorded within two. */
const WRITTEN_MS = 3000;

/** A set of three of these costs more than it pays. */
const DEAR = { price: '0.35', size: '500' };

export type Decided = Extract<JournalRow, { topic: 'decision' }>;

export type MovingDesk = AsyncDisposable & {
  exchange: RunningExchange;
  readonly product: Product;
  sets: readonly ThreeWay[];
  /** When the books began to stand. */
  from: Instant;
  change: (settings: Record<string, boolean | number>) => Promise<void>;
  /** Ends the product's process and starts it again, with more in its environment where that is given. */
  restart: (env?: Record<string, string>) => Promise<void>;
  decided: () => Promise<Decided[]>;
  /** The best price on offer of each token, whenever it or the trust in its book has changed. */
  seen: () => Promise<string[]>;
  rehearse: (changes: RehearsalChanges, span?: { from?: Instant; until?: Instant }) => Promise<Rehearsed>;
};

/** `env` is added to that of the product, `exchangeEnv` to that of the exchange. */
export async function openMovingDesk(
  opportunities: number,
  env: Record<string, string> = {},
  exchangeEnv: Record<string, string> = {},
): Promise<MovingDesk> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'dutchbook-rehearsal-'));
  const databaseUrl = await migratedDatabase();
  const exchange = await startExchange(exchangeEnv);
  const start = (more: Record<string, string> = {}) =>
    startProduct(exchange.url, dataDir, { DATABASE_URL: databaseUrl, ...env, ...more });
  let product = await start();
  const stop = async () => {
    product.running.kill('SIGTERM');
    await product.running.ended;
  };
  const folder = path.join(dataDir, 'recordings', VENUE);
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 });
  const db = drizzle(pool);
  const sets: ThreeWay[] = [];
  for (let nth = 0; nth < opportunities; nth += 1) sets.push(await cheapThreeWay(exchange, product, nth, DEAR));
  await pause(WRITTEN_MS);
  const from = instantFromMs(Date.now());
  const decisions = async () => {
    const wanted = { decision: null };
    const rows = await Array.fromAsync(journalBetween(db, VENUE, from, instantFromMs(Date.now()), wanted));
    return rows.filter((row) => row.topic === 'decision');
  };
  /** On a busy machine a rise may wait for its record, and that for being written, for longer than usual. */
  const written = async () => {
    for (let before = -1, now = 0; before !== now; await pause(WRITTEN_MS)) {
      before = now;
      now = (await decisions()).length;
    }
    return instantFromMs(Date.now());
  };
  return {
    ...{ exchange, sets, from },
    get product() {
      return product;
    },
    restart: async (more) => {
      await stop();
      product = await start(more);
    },
    change: async (body) => {
      const { status, detail } = await product.call(writeSystemSettings, { body });
      if (status !== 200) throw new Error(`the settings were not changed: ${detail}`);
    },
    decided: async () => {
      await written();
      return await decisions();
    },
    seen: async () => {
      const until = await written();
      return await Array.fromAsync(changesOfBest(mergedRecords(folder, from, until)));
    },
    rehearse: async (changes, span = {}) =>
      await runRehearsal({
        ...{ db, folder, venue: VENUE },
        ...{ from, until: await written(), changes, assumePlacing: false },
        ...{ onProgress: () => {}, signal: new AbortController().signal },
        ...span,
      }),
    [Symbol.asyncDispose]: async () => {
      await stop();
      await exchange.stop();
      await pool.end();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function* changesOfBest(blocks: AsyncIterable<Recorded[]>): AsyncGenerator<string> {
  const books = new RecordedBooks();
  const best = new Map<string, string>();
  for await (const records of blocks) {
    for (const record of records) {
      for (const tokenId of books.apply(record)) {
        const now = `${tokenId} ${books.trust(tokenId)} ${books.book(tokenId)?.asks[0]?.price}`;
        if (best.get(tokenId) !== now) yield now;
        best.set(tokenId, now);
      }
    }
  }
}

/** From 0 up to, and without, 1: the same numbers for the same seed. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Moves books `moves` times, some milliseconds apart; resolves when the product has received the last move. */
export async function moveBooks(desk: MovingDesk, moves: number, random: () => number, pauseMs = 0): Promise<void> {
  for (let moved = 0; moved < moves; moved += 1) {
    await moveBook(desk, random);
    await pause(pauseMs + random() * 30);
  }
  await pause(WRITTEN_MS);
}

/** Of one leg: between 30 and 36 cents, some at the best price and many a cent above it; a bid stands below. */
async function moveBook({ exchange, sets }: MovingDesk, random: () => number): Promise<void> {
  const set = sets[Math.floor(random() * sets.length)];
  const tokenId = set?.tokenIds[Math.floor(random() * set.tokenIds.length)];
  if (tokenId === undefined) throw new Error('a desk without opportunities does not move');
  const cents = 30 + Math.floor(random() * 7);
  const best = { price: `0.${cents}`, size: String(20 + Math.floor(random() * 80)) };
  const behind = { price: `0.${cents + 1}`, size: '500' };
  await exchange.setBook(tokenId, [{ price: `0.${cents - 2}`, size: '300' }], [best, behind]);
}
