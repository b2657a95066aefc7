import { once } from 'node:events';
import { createServer } from 'node:net';
import type { SimulatorState } from '@dutchbook/contract/simulator.ts';
import { startExchangeProcess } from '@dutchbook/venues/conformance/exchange-process.ts';
import { asc } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { auditLog } from '../../platform/audit/table.ts';
import { openTestApp } from '../../platform/http/app.fixture.ts';

type Listed = { conditionId: string; question: string; clobTokenIds: string; closed: boolean }[];

async function openSite(url: string, venue = 'simulated') {
  const site = await openTestApp({ variables: { VENUE: venue, POLYMARKET_CLOB_URL: url } });
  const ask = async (method: 'GET' | 'POST' | 'DELETE', path: string, payload?: object, isSuperuser = true) => {
    const { headers } = await site.signedIn({ isSuperuser });
    const answer = await site.http.inject({
      ...{ method, url: `/api/v1/simulator${path}`, headers },
      ...(payload && { payload }),
    });
    return [answer.statusCode, answer.json()] as const;
  };
  return { site, ask };
}

it('moves the clock, has the exchange misbehave, sets a book and resolves a market, for superusers, and writes it down', async () => {
  const exchange = await startExchangeProcess({ isPaused: true });
  const { site, ask } = await openSite(exchange.url);
  await using _ = site;
  try {
    const state = async () => (await ask('GET', ''))[1] as SimulatorState;
    expect(await state()).toMatchObject({ ahead_ms: 0, faults: [] });
    expect((await state()).fault_names).toContain('accept_then_500');
    await ask('POST', '/clock', { minutes: 90 });
    await ask('POST', '/faults', { name: 'rate_limit_429', times: 3 });
    expect(await state()).toMatchObject({ ahead_ms: 5_400_000, faults: [{ name: 'rate_limit_429', remaining: 3 }] });
    await ask('DELETE', '/faults');
    expect(await state()).toMatchObject({ faults: [] });

    const listed = async () => (await (await fetch(`${exchange.url}/gamma/markets?limit=5`)).json()) as Listed;
    const [market] = await listed();
    if (market === undefined) throw new Error('the exchange lists no market');
    const [token] = JSON.parse(market.clobTokenIds) as string[];
    const book = { bids: [{ price: 0.31, size: 40 }], asks: [{ price: 0.35, size: 25.5 }] };
    expect(await ask('POST', '/book', { token_id: token, ...book })).toMatchObject([200, {}]);
    const shown = await (await fetch(`${exchange.url}/book?token_id=${token}`)).json();
    expect(shown).toMatchObject({ bids: [{ price: '0.31', size: '40' }], asks: [{ price: '0.35', size: '25.5' }] });
    expect(await ask('POST', '/makers', { paused: false })).toMatchObject([200, {}]);

    const resolve = (outcome: string) => ask('POST', '/resolve', { market_id: market.conditionId, outcome });
    expect(await resolve('Perhaps')).toMatchObject([422, { detail: [{ loc: ['body', 'outcome'] }] }]);
    expect(await resolve('Yes')).toMatchObject([200, {}]);
    expect((await listed()).find(({ conditionId }) => conditionId === market.conditionId)).toMatchObject({
      closed: true,
    });

    const written = await site.test.runtime.db.select().from(auditLog).orderBy(asc(auditLog.seq));
    const changes = written.filter(({ action }) => action === 'simulator.changed');
    expect(changes.map(({ object }) => object)).toEqual([
      ...['clock', 'faults', 'faults', token, 'makers', market.conditionId],
    ]);
    expect(changes.at(-1)?.after).toEqual({ outcome: 'Yes' });
    expect((await ask('POST', '/clock', { minutes: 1 }, false))[0]).toBe(403);
  } finally {
    await exchange.stop();
  }
});

it('is of the simulated exchange alone, and says where that does not answer', async () => {
  const real = await openSite('https://clob.example', 'polymarket');
  await using _ = real.site;
  const only = { detail: 'Only the simulated exchange can be changed' };
  expect(await real.ask('GET', '')).toEqual([404, only]);
  expect(await real.ask('POST', '/clock', { minutes: 5 })).toEqual([404, only]);
  const paper = await openSite('http://127.0.0.1:1', 'paper');
  await using _paper = paper.site;
  expect(await paper.ask('POST', '/clock', { minutes: 5 })).toEqual([404, only]);

  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as { port: number };
  probe.close();
  const silent = await openSite(`http://127.0.0.1:${port}`);
  await using _other = silent.site;
  expect(await silent.ask('GET', '')).toEqual([503, { detail: 'The simulated exchange does not answer' }]);
});

it.each([
  ['/clock', { minutes: 0 }, 'minutes'],
  ['/clock', { minutes: 525_601 }, 'minutes'],
  ['/faults', { name: 'hang', times: 1_001 }, 'times'],
  ['/book', { token_id: '1', bids: Array(51).fill({ price: 0.1, size: 1 }), asks: [] }, 'bids'],
  ['/book', { token_id: '1', bids: [{ price: 2, size: 1 }], asks: [] }, 'price'],
])('refuses %s what is out of its range, by the name of the field', async (path, body, field) => {
  const { site, ask } = await openSite('http://127.0.0.1:9');
  await using _ = site;
  const [status, { detail }] = await ask('POST', path, body);
  expect([status, JSON.stringify(detail[0].loc)]).toEqual([422, expect.stringContaining(field)]);
});
