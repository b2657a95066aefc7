/** What only discovery watches is recorded like what opportunities are about, of which there are none at first. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createOpportunity, listOpportunities } from '@dutchbook/contract/opportunities.ts';
import { readRecordingsStatus } from '@dutchbook/contract/recordings.ts';
import { journalAt } from '@dutchbook/server/market/decision-journal/read.ts';
import { findRecords } from '@dutchbook/server/memory/recordings/find-records.ts';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { priceFromText } from '@dutchbook/units/price.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { expect, it } from 'vitest';
import { freshDatabase } from '../product/database.ts';
import { eventually } from '../product/eventually.ts';
import { type RunningExchange, startExchange, type WireLevel } from '../product/exchange.ts';
import { startProduct } from '../product/product.ts';

const VENUE = 'simulated';
/** What was seen is written within a second, and what was recorded within two. */
const WRITTEN_MS = 3000;
const MOVES = 150;
/** Of markets, at the exchange. */
const PAGE = 100;

type WireMarket = { conditionId: string; clobTokenIds?: string; outcomes: string };
type WireBook = { bids: WireLevel[]; asks: WireLevel[] };

it('is in the files with books equal to those of the exchange, each token once, and reported as relations', async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'dutchbook-recorded-'));
  const databaseUrl = await freshDatabase();
  const exchange = await startExchange();
  await exchange.pause();
  const markets = await listed(exchange);
  // So far apart that nothing pays.
  for (const { tokenId } of markets) await moveBook(exchange, tokenId, 0);
  const product = await startProduct(exchange.url, dataDir, { DATABASE_URL: databaseUrl, DISCOVERY: 'on' });
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  try {
    const folder = path.join(dataDir, 'recordings', VENUE);
    const count = await eventually('tokens are recorded', async () => {
      const { tokens } = (await product.call(readRecordingsStatus)).reply;
      await pause(WRITTEN_MS);
      const after = (await product.call(readRecordingsStatus)).reply.tokens;
      return tokens > 0 && tokens === after ? tokens : null;
    });
    expect((await product.call(listOpportunities, { query: {} })).reply.count).toBe(0);
    const { relation } = await journalAt(drizzle(pool), VENUE, instantFromMs(Date.now()));
    const watched = new Set(
      [...relation.values()].flatMap(({ members }) => members.flatMap((each) => each.tokenId ?? [])),
    );
    expect(watched.size).toBeGreaterThan(5);
    expect(count).toBe(watched.size);

    const moved = markets.filter(({ tokenId }) => watched.has(tokenId));
    const moveAll = async (from: number) => {
      for (let nth = from; nth < from + MOVES; nth += 1)
        await moveBook(exchange, moved[nth % moved.length]?.tokenId ?? '', nth);
    };
    await moveAll(1);
    await expectRecorded(folder, exchange, watched);

    const legs = moved
      .slice(0, 2)
      .map(({ marketId, outcome }, index) => ({ leg: index + 1, markets: [{ id: marketId, outcome }] }));
    const created = await product.call(createOpportunity, { body: { market_combinations: legs, target_price: 1 } });
    expect(created.status).toBe(200);
    await pause(WRITTEN_MS);
    await moveAll(MOVES);
    await expectRecorded(folder, exchange, watched);
    expect((await product.call(readRecordingsStatus)).reply.tokens).toBe(count);
  } finally {
    product.running.kill('SIGTERM');
    await product.running.ended;
    await exchange.stop();
    await pool.end();
    await rm(dataDir, { recursive: true, force: true });
  }
});

/** Of every market its first outcome. */
async function listed({ url }: RunningExchange) {
  const markets: WireMarket[] = [];
  for (let read = PAGE; read === PAGE; ) {
    const answer = await fetch(`${url}/gamma/markets?closed=false&limit=${PAGE}&offset=${markets.length}`);
    const page = (await answer.json()) as WireMarket[];
    markets.push(...page);
    read = page.length;
  }
  return markets.flatMap(({ conditionId: marketId, clobTokenIds = '[]', outcomes }) => {
    const [tokenId] = JSON.parse(clobTokenIds) as string[];
    const [outcome] = JSON.parse(outcomes) as string[];
    // Of some the venue says nothing that one could trade by.
    return tokenId === undefined || outcome === undefined ? [] : [{ marketId, tokenId, outcome }];
  });
}

async function moveBook(exchange: RunningExchange, tokenId: string, nth: number): Promise<void> {
  const bids = [{ price: '0.02', size: String(100 + nth) }];
  const asks = [{ price: '0.98', size: String(200 + nth) }];
  if (nth % 3 === 0) asks.push({ price: '0.99', size: '50' });
  await exchange.setBook(tokenId, bids, asks);
}

/** On a busy machine what was seen is written later than usual. */
async function expectRecorded(folder: string, exchange: RunningExchange, tokenIds: ReadonlySet<string>) {
  const shown = await shownBooks(exchange, tokenIds);
  await expect.poll(() => standingBooks(folder, tokenIds)).toEqual(shown);
}

/** As they are known now of what was recorded, by token: only those that can be trusted. */
async function standingBooks(folder: string, tokenIds: ReadonlySet<string>) {
  const now = instantFromMs(Date.now());
  const books = new Map<string, unknown>();
  const trusted = new Set<string>();
  for await (const record of findRecords({ folder, tokenIds, from: now, until: now })) {
    if (record.kind === 'book') books.set(record.tokenId, { bids: record.bids, asks: record.asks });
    if (record.kind === 'trust' && (record.trust === 'live' || record.trust === 'verified'))
      trusted.add(record.tokenId);
  }
  return new Map([...books].filter(([tokenId]) => trusted.has(tokenId)).sort(byToken));
}

async function shownBooks({ url }: RunningExchange, tokenIds: ReadonlySet<string>) {
  const books: [string, unknown][] = [];
  for (const tokenId of tokenIds) {
    const { bids, asks } = (await (await fetch(`${url}/book?token_id=${tokenId}`)).json()) as WireBook;
    books.push([tokenId, { bids: inOrder(bids, -1), asks: inOrder(asks, 1) }]);
  }
  return new Map(books.sort(byToken));
}

/** Best level first. */
function inOrder(levels: readonly WireLevel[], direction: 1 | -1) {
  return levels
    .map(({ price, size }) => ({ price: priceFromText(price), size: sharesFromText(size) }))
    .sort((one, other) => direction * (one.price - other.price));
}

function byToken([one]: [string, unknown], [other]: [string, unknown]): number {
  return one < other ? -1 : 1;
}
