/** Events that the simulated exchange has quoted wrong on purpose, among others that only look so: each is found, and nothing else. */
import { type Basket, bestBaskets } from '@dutchbook/engine/relation/baskets.ts';
import { boundsOfBook, boundsOfResolved } from '@dutchbook/engine/relation/bounds.ts';
import type { CatalogueEvent, EventMember } from '@dutchbook/engine/relation/catalogue-event.ts';
import { readAcross, readRelations, variableOf } from '@dutchbook/engine/relation/read-relations.ts';
import type { Relation } from '@dutchbook/engine/relation/relation.ts';
import { readTwins } from '@dutchbook/engine/relation/twins.ts';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type ExchangeProcess, startExchangeProcess } from '../../conformance/exchange-process.ts';
import type { BookSnapshot, Venue } from '../../venue.ts';
import { POLYMARKET_DEFAULTS } from '../config.ts';
import { openPolymarket } from '../polymarket.ts';
import { TEST_RUNTIME } from '../stand-in.fixture.ts';

const TOKENS_PER_CALL = 400;
const truth = z.array(z.object({ market_ids: z.array(z.string()), is_decoy: z.boolean() }));

let exchange: ExchangeProcess;
let venue: Venue;

afterEach(async () => {
  await venue.close();
  await exchange.stop();
});

async function openPlanted(seed: string): Promise<void> {
  exchange = await startExchangeProcess({
    isPaused: true,
    environment: { EXCHANGE_SEED: seed, EXCHANGE_PLANTED: '500,200,200' },
  });
  const wsUrl = `${exchange.url.replace('http', 'ws')}/ws`;
  const urls = { clobUrl: exchange.url, gammaUrl: `${exchange.url}/gamma`, wsUrl };
  venue = await openPolymarket({ ...POLYMARKET_DEFAULTS, ...urls }, TEST_RUNTIME);
}

async function readAll(): Promise<CatalogueEvent[]> {
  const events: CatalogueEvent[] = [];
  for await (const page of venue.catalogue.readEvents(null)) events.push(...page.events);
  return events;
}

function relationsOf(events: readonly CatalogueEvent[]): Relation[] {
  const related = Map.groupBy(events, variableOf);
  related.delete(null);
  const within = events.flatMap((event) => readRelations(event).relations);
  return [...within, ...[...related.values()].flatMap(readAcross), ...readTwins(events)];
}

async function booksOf(members: readonly EventMember[]): Promise<Map<string, BookSnapshot>> {
  const tokens = members.flatMap(({ closed, tokenIds: [first] }) => (closed || first === undefined ? [] : first));
  const books = new Map<string, BookSnapshot>();
  for (let from = 0; from < tokens.length; from += TOKENS_PER_CALL) {
    const some = await venue.prices.fetchBooks(tokens.slice(from, from + TOKENS_PER_CALL));
    for (const [token, book] of some) books.set(token, book);
  }
  return books;
}

function paying(relation: Relation, members: readonly EventMember[], books: Map<string, BookSnapshot>): Basket[] {
  const own = members.map(({ tokenIds: [first = ''] }) => books.get(first));
  const bounds = members.map(({ resolvedValue, feeSchedule }, place) =>
    resolvedValue === null ? boundsOfBook(own[place], feeSchedule) : boundsOfResolved(resolvedValue),
  );
  const resolved = members.map(({ resolvedValue }) => resolvedValue);
  return bestBaskets(relation, bounds, resolved).filter(({ cost, payout }) => cost < payout);
}

describe('500 planted events', () => {
  it('hold 200 sets that pay and 200 that only look so, and exactly the former are found', async () => {
    await openPlanted('1');
    const events = await readAll();
    const members = new Map(events.flatMap((event) => event.members.map((member) => [member.marketId, member])));
    const books = await booksOf([...members.values()]);
    const found = relationsOf(events).flatMap((relation) => {
      const own = relation.members.flatMap(({ marketId }) => members.get(marketId) ?? []);
      return paying(relation, own, books).map(() => new Set(own.map(({ marketId }) => marketId)));
    });
    const rows = truth.parse(await (await fetch(`${exchange.url}/_control/planted`)).json());
    const planted = rows.filter((row) => !row.is_decoy);
    expect([planted.length, rows.length - planted.length]).toEqual([200, 200]);
    const isFound = (ids: readonly string[]) => found.some((hit) => ids.every((id) => hit.has(id)));
    expect(planted.filter((row) => !isFound(row.market_ids))).toEqual([]);
    expect(found).toHaveLength(planted.length);
  });
});
