import { relationRow } from '@dutchbook/contract/relations.ts';
import { applyLevelChange, type Book, KeptBook } from '@dutchbook/engine/book/book.ts';
import { priceFromText } from '@dutchbook/units/price.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import { eq, isNull } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { openTestApp } from '../../platform/http/app.fixture.ts';
import { ask } from '../../platform/http/ask.fixture.ts';
import { batchesSince } from '../../trading/orders/series.ts';
import { type SizesOf, writeHits } from '../relations/hits.ts';
import { relationDistances, relationHits, relationPrices, relations } from '../relations/table.ts';
import { cupOf } from './discovery.fixture.ts';
import { keepEvents } from './keep-events.ts';
import { registerDiscovery } from './routes.ts';
import { openDiscoverySettings } from './settings.ts';

/** Three pairs and what they are together, of which the pair of `a` pays two dollars. */
async function openDiscoveryApp() {
  const served = await openTestApp();
  const { runtime } = served.test;
  const settings = await openDiscoverySettings(runtime);
  const books = new Map<string, Book>();
  const live = { readChanges: async () => {}, rowsNow: <Row>(rows: readonly Row[]) => [...rows] };
  const sizesOf: SizesOf = async (_db, ids) =>
    new Map(ids.map((batchId) => [batchId, { size: sharesFromText('12'), clips: 2, boundedBy: 'depth' as const }]));
  registerDiscovery(
    served.app,
    runtime,
    {
      settings,
      bookOf: (tokenId) => {
        const book = books.get(tokenId);
        return book === undefined ? undefined : { book, ageMs: 40 };
      },
      watches: () => books.size > 0,
      live: live as never,
      stop: async () => settings.stop(),
    },
    sizesOf,
  );
  await keepEvents(runtime, [cupOf(['a', 'b', 'c'], { title: '=1+1, the cup' })], 1);
  const [pair] = await runtime.db.select().from(relations).where(eq(relations.key, 'pair:a'));
  const id = pair?.id ?? '';
  await runtime.db
    .update(relationPrices)
    .set({ profit: 2_000_000 as Usd, distance: -20_000 as Usd })
    .where(eq(relationPrices.relationId, id));
  const { headers } = await served.signedIn();
  return { served, runtime, headers, id, books };
}

describe('relations as a file', () => {
  it('are those of the filter, a column for each field of the list, and no formula', async () => {
    const { served, headers } = await openDiscoveryApp();
    await using _ = served;
    const exported = async (query = '') => {
      const reply = await served.http.inject({ url: `/api/v1/relations/export-csv${query}`, headers });
      expect(reply.headers['content-type']).toMatch(/^text\/csv/);
      expect(reply.headers['content-disposition']).toMatch(/filename="?relations_/);
      return reply.body.trimEnd().split('\r\n');
    };
    const all = await exported();
    expect(all[0]?.replaceAll('"', '').split(',').toSorted()).toEqual(Object.keys(relationRow.shape).toSorted());
    expect(all).toHaveLength(5);
    expect(all[1]).toContain("'=1+1, the cup");
    expect(await exported('?kind=exactly_one')).toHaveLength(2);
    expect(await exported('?min_profit_usd=2')).toHaveLength(2);
    expect(await exported('?q=nowhere')).toHaveLength(1);
    expect(await ask(served, headers, 'GET', '/relations/export-csv?kind=square')).toMatchObject([422, {}]);
  });
});

describe('the list of relations', () => {
  it('has one pair of each event, or those alone that pay, what pays first, then complete events, and pages that fit together', async () => {
    const { served, runtime, headers } = await openDiscoveryApp();
    await using _ = served;
    await keepEvents(runtime, [cupOf(['d', 'e'], { id: 'other', title: 'The other cup' })], 1);
    const read = async (query: string) => {
      const [status, body] = await ask(served, headers, 'GET', `/relations?${query}`);
      expect(status).toBe(200);
      const { data, count } = body as {
        data: { kind: string; event_title: string; distance: number }[];
        count: number;
      };
      return { count, rows: data.map(({ kind, event_title }) => `${kind} ${event_title}`) };
    };
    const whole = ['exactly_one =1+1, the cup', 'exactly_one The other cup'];
    expect(await read('pairs=each')).toMatchObject({ count: 7 });
    const left = await read('pairs=left_out&complete_first=true');
    expect(left).toMatchObject({ count: 3, rows: ['pair =1+1, the cup', ...whole.map(() => expect.any(String))] });
    expect(left.rows.slice(1).toSorted()).toEqual(whole);
    // One that pays comes first, one that does not behind whole events.
    const folded = await read('pairs=by_event&complete_first=true');
    expect(folded).toMatchObject({ count: 4 });
    expect([folded.rows[0], folded.rows[3]]).toEqual(['pair =1+1, the cup', 'pair The other cup']);
    const pages = await Promise.all(
      [0, 1, 2, 3].map((skip) => read(`pairs=by_event&complete_first=true&limit=1&skip=${skip}`)),
    );
    expect(pages.flatMap(({ rows }) => rows)).toEqual(folded.rows);
    expect(pages.map(({ count }) => count)).toEqual([4, 4, 4, 4]);
    // The nearest of those that match is shown, not one that the filter leaves out.
    expect((await read('pairs=by_event&kind=pair&q=The+other')).rows).toEqual(['pair The other cup']);
    expect((await read('pairs=by_event&kind=pair&min_profit_usd=2')).rows).toEqual(['pair =1+1, the cup']);
    const all = await read('pairs=by_event');
    expect(await read('pairs=by_event&venue=polymarket')).toEqual(all);
    expect(await read('pairs=by_event&venue=kalshi')).toMatchObject({ rows: [] });
    await runtime.db.update(relations).set({ basis: 'parsed' }).where(eq(relations.key, 'pair:a'));
    expect(await read('needs_approval=true')).toEqual({ count: 1, rows: ['pair =1+1, the cup'] });
    expect(await read('needs_approval=false')).toMatchObject({ count: 6 });
    await runtime.db.update(relations).set({ state: 'approved' }).where(eq(relations.key, 'pair:a'));
    expect(await read('needs_approval=true')).toMatchObject({ count: 0 });
    expect(await ask(served, headers, 'GET', '/relations?pairs=some')).toMatchObject([422, {}]);
  });
});

describe('the times in which relations paid', () => {
  it('are listed the newest first, of one relation or all, taken or not', async () => {
    const { served, runtime, headers, id } = await openDiscoveryApp();
    await using _ = served;
    const first = runtime.clock.now();
    const hit = (after: number, obstacle: string | null) => ({
      id: runtime.random.uuid(),
      relationId: id,
      direction: 'yes' as const,
      firstAt: (first + after) as typeof first,
      lastAt: (first + after + 1500) as typeof first,
      endedAt: (first + after + 1500) as typeof first,
      net: 20_000 as Usd,
      profit: 2_000_000 as Usd,
      size: 100_000_000 as never,
      obstacle,
      opportunityId: null,
    });
    const ends = { batchesSince, trigger: () => 'so much is needed' };
    await writeHits(runtime.db, [hit(0, 'Its kind is switched off'), hit(10_000, null)], [], ends);
    const [status, body] = await ask(served, headers, 'GET', `/relations/hits?relation_id=${id}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      count: 2,
      data: [
        { lasted_ms: 1500, why_not: 'It was over before it was stored as an opportunity', batch_id: null },
        { net_usd: 0.02, profit_usd: 2, size: 100, why_not: 'Its kind is switched off', relation_id: id },
      ],
    });
    expect(await ask(served, headers, 'GET', '/relations/hits?taken=true')).toMatchObject([200, { count: 0 }]);
    expect(await ask(served, headers, 'GET', '/relations/hits?limit=1&skip=1')).toMatchObject([
      200,
      { count: 2, data: [{ why_not: 'Its kind is switched off' }] },
    ]);
    const all = await ask(served, headers, 'GET', '/relations/hits');
    expect(await ask(served, headers, 'GET', '/relations/hits?venue=polymarket')).toEqual(all);
    expect(await ask(served, headers, 'GET', '/relations/hits?venue=kalshi')).toMatchObject([200, { count: 0 }]);
    const census = await ask(served, headers, 'GET', '/relations/census');
    expect(await ask(served, headers, 'GET', '/relations/census?venue=polymarket')).toEqual(census);
    expect(await ask(served, headers, 'GET', '/relations/census?venue=kalshi')).toMatchObject([200, { events: 0 }]);
    expect(await ask(served, headers, 'GET', '/relations/hits?relation_id=x')).toMatchObject([422, {}]);
    const ofMinute = { relationId: id, at: (first - (first % 60_000)) as typeof first, distance: -20_000 as Usd };
    await runtime.db.insert(relationDistances).values({ ...ofMinute, profit: 2_000_000 as Usd });
    const [, { data: drawn }] = await ask(served, headers, 'GET', `/relations/${id}/distances`);
    expect(
      (drawn as { at: string; distance: number }[]).map(({ at, distance }) => [Date.parse(at) - first, distance]),
    ).toEqual([
      [0, -0.02],
      [10_000, -0.02],
    ]);
    expect(await ask(served, headers, 'GET', `/relations/${id}`)).toMatchObject([200, { paying_since: null }]);
    await runtime.db.update(relationHits).set({ endedAt: null }).where(isNull(relationHits.obstacle));
    const since = new Date(first + 10_000).toISOString();
    expect(await ask(served, headers, 'GET', `/relations/${id}`)).toMatchObject([200, { paying_since: since }]);
    const bought = runtime.random.uuid();
    await runtime.db.update(relationHits).set({ batchId: bought }).where(isNull(relationHits.obstacle));
    expect(await ask(served, headers, 'GET', '/relations/hits?taken=true')).toMatchObject([
      200,
      { data: [{ batch_id: bought, bought_size: 12, bought_clips: 2, bounded_by: 'depth', why_not: null }] },
    ]);
  });
});

describe('a relation', () => {
  it('is served with prices and quotes of the same books, in place of the prices that were stored', async () => {
    const { served, headers, id, books } = await openDiscoveryApp();
    await using _ = served;
    const quoted = (bid: string, ask: string) => {
      const book = new KeptBook();
      applyLevelChange(book, 'buy', priceFromText(bid), sharesFromText('10'));
      applyLevelChange(book, 'sell', priceFromText(ask), sharesFromText('10'));
      books.set('a:yes', book);
    };
    expect(await ask(served, headers, 'GET', `/relations/${id}`)).toMatchObject([
      200,
      { profit_usd: 2, distance: -0.02, quoted: 0, member_list: [{ best_bid: null, best_ask: null }] },
    ]);
    for (const [bid, ask_, distance] of [
      ['0.40', '0.45', 0.05],
      ['0.50', '0.58', 0.08],
    ] as const) {
      quoted(bid, ask_);
      expect(await ask(served, headers, 'GET', `/relations/${id}`)).toMatchObject([
        200,
        {
          profit_usd: 0,
          distance,
          quoted: 1,
          oldest_book_ms: 40,
          member_list: [{ best_bid: Number(bid), best_ask: Number(ask_), book_age_ms: 40 }],
        },
      ]);
    }
  });
});
