import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { applyLevelChange } from '@dutchbook/engine/book/book.ts';
import { readParquet } from '@dutchbook/recordings/parquet/read.ts';
import type { Recorded } from '@dutchbook/recordings/record.ts';
import { priceFromText } from '@dutchbook/units/price.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { onlyEngine } from '../../platform/engines/engines.ts';
import { openTestApp } from '../../platform/http/app.fixture.ts';
import { ask } from '../../platform/http/ask.fixture.ts';
import { scriptedTokens } from './recorder.fixture.ts';
import { openRecordings } from './recordings.ts';
import { registerRecordings } from './routes.ts';

describe('the recordings over HTTP', () => {
  it('says what is recorded, and gives what was recorded of a token', async () => {
    await using site = await openTestApp();
    const { runtime, time } = site.test;
    const { tokens, book, tell, trust } = scriptedTokens(runtime.clock);
    const recordings = openRecordings(runtime, tokens, onlyEngine().partitions);
    registerRecordings(site.app, recordings);
    const { headers } = await site.signedIn({ email: 'root@example.com', isSuperuser: true });
    await time.advance(1000);
    for (const size of ['5', '7']) {
      applyLevelChange(book('a-yes'), 'buy', priceFromText('0.40'), sharesFromText(size));
      tell('a-yes');
      await time.advance(1000);
    }
    trust('a-yes', 'stale');
    tell('a-yes');
    const [, status] = await ask(site, headers, 'GET', '/recordings/status');
    expect(status).toMatchObject({ state: 'recording', tokens: 1, holes: [], days: 7, max_bytes: 2_000_000_000 });
    await recordings.stop();
    const reversed = '/recordings/records?token_id=a-yes&from=2026-01-01T02:00:00Z&until=2026-01-01T00:00:00Z';
    expect(await ask(site, headers, 'GET', reversed)).toMatchObject([
      422,
      { detail: [{ loc: ['query', 'until'], msg: 'Input should not be before from' }] },
    ]);
    const path = '/recordings/records?token_id=a-yes&from=2026-01-01T00:00:01.500Z&until=2026-01-01T02:00:00Z';
    const bid = { price: 0.4, size: 5 };
    expect(await ask(site, headers, 'GET', path)).toEqual([
      200,
      {
        data: [
          { kind: 'book', at: '2026-01-01T00:00:01.500Z', venue_at: null, bids: [bid], asks: [] },
          { kind: 'trust', at: '2026-01-01T00:00:01.500Z', trust: 'live' },
          {
            ...{ kind: 'changes', at: '2026-01-01T00:00:02.000Z', venue_at: '2026-01-01T00:00:01.960Z' },
            changes: [{ side: 'buy', price: 0.4, size: 7 }],
          },
          { kind: 'trust', at: '2026-01-01T00:00:03.000Z', trust: 'stale' },
        ],
        next: '2026-01-01T01:00:01.500Z',
      },
    ]);
  });

  it('exports what was recorded as Parquet, one at a time and a day at most', async () => {
    await using site = await openTestApp();
    const { runtime, time } = site.test;
    const { tokens, book, tell } = scriptedTokens(runtime.clock);
    const recordings = openRecordings(runtime, tokens, onlyEngine().partitions);
    registerRecordings(site.app, recordings);
    const { headers } = await site.signedIn({ email: 'root@example.com', isSuperuser: true });
    applyLevelChange(book('a-yes'), 'buy', priceFromText('0.40'), sharesFromText('5'));
    book('b-yes');
    await time.advance(1000);
    tell('a-yes', 'b-yes');
    await time.advance(3000);
    await recordings.stop();
    const get = (query: string) =>
      site.app.http.inject({ method: 'GET', url: `/api/v1/recordings/export?${query}`, headers });
    const day = 'from=2026-01-01T00:00:00Z&until=2026-01-02T00:00:00Z';
    const both = await Promise.all([get(`${day}&token_ids=a-yes`), get(`${day}&token_ids=a-yes`)]);
    const [answer = expect.fail('one is made'), refused] = both.toSorted((a, b) => a.statusCode - b.statusCode);
    expect([answer.statusCode, refused?.statusCode]).toEqual([200, 429]);
    expect(answer.headers['content-disposition']).toBe('attachment; filename="polymarket_2026-01-01T00.parquet"');
    const file = answer.rawPayload;
    const { venue, records } = await readParquet(
      async (start, length) => file.subarray(start, start + length),
      file.length,
    );
    const all: Recorded[] = [];
    for await (const some of records) all.push(...some);
    expect(venue).toBe('polymarket');
    expect(all).toMatchObject([
      { kind: 'book', tokenId: 'a-yes', bids: [{ price: 400_000, size: 5_000_000 }] },
      { kind: 'trust', tokenId: 'a-yes', trust: 'live' },
    ]);
    expect((await get(day)).statusCode).toBe(200);
    expect((await get('from=2026-01-01T00:00:00Z&until=2026-01-02T00:00:01Z')).statusCode).toBe(422);
    expect((await get(`${day}&token_ids=a,,b`)).statusCode).toBe(422);
  });

  it('makes room for the next export where the caller had hung up before theirs was begun', async () => {
    await using site = await openTestApp();
    const { runtime } = site.test;
    const recordings = openRecordings(runtime, scriptedTokens(runtime.clock).tokens, onlyEngine().partitions);
    registerRecordings(site.app, recordings);
    await site.http.listen({ host: '127.0.0.1', port: 0 });
    const { port } = site.http.server.address() as AddressInfo;
    const { headers } = await site.signedIn({ email: 'root@example.com', isSuperuser: true });
    const url = `http://127.0.0.1:${port}/api/v1/recordings/export?from=2026-01-01T00:00:00Z&until=2026-01-02T00:00:00Z`;
    const gone = new AbortController();
    let left: Promise<unknown> | undefined;
    await runtime.db.transaction(async (tx) => {
      // Until then the caller is not identified.
      await tx.execute(sql`lock table users in access exclusive mode`);
      const arrived = once(site.http.server, 'request');
      left = fetch(url, { headers, signal: gone.signal }).catch((error: Error) => error.name);
      const [, response] = await arrived;
      gone.abort();
      await once(response, 'close');
    });
    expect(await left).toBe('AbortError');
    const next = await fetch(url, { headers });
    expect([next.status, (await next.text()).slice(0, 4)]).toEqual([200, 'PAR1']);
    await recordings.stop();
  });

  it('records nothing where that is off', async () => {
    await using site = await openTestApp({ variables: { RECORDING: 'off' } });
    const { runtime, time } = site.test;
    const { tokens, book, tell } = scriptedTokens(runtime.clock);
    const recordings = openRecordings(runtime, tokens, onlyEngine().partitions);
    registerRecordings(site.app, recordings);
    const { headers } = await site.signedIn({ email: 'root@example.com', isSuperuser: true });
    book('a-yes');
    await time.advance(1000);
    tell('a-yes');
    await time.advance(3000);
    await recordings.stop();
    expect(await ask(site, headers, 'GET', '/recordings/status')).toEqual([
      200,
      expect.objectContaining({ state: 'off', tokens: 0, files: 0, bytes: 0 }),
    ]);
  });
});
