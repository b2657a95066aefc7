import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Difference } from '@dutchbook/engine/ledger/comparison.ts';
import { VENUE_NAMES, type VenueName } from '@dutchbook/units/ids.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { type Usd, usdFromText } from '@dutchbook/units/usd.ts';
import { describe, expect, it } from 'vitest';
import { readMirror } from '../../market/simulator/mirror.ts';
import { auditLog } from '../../platform/audit/table.ts';
import { openTestApp } from '../../platform/http/app.fixture.ts';
import { ledgerChecks } from '../ledger/table.ts';
import { rowIdOf } from '../orders/venue-in.ts';
import { tradingControls } from '../trading-controls/table.ts';
import { startOvers } from '../under-way/table.ts';
import { registerPaper } from './routes.ts';
import { openStartOverLoop } from './start-over-loop.ts';

/** An exchange of paper trading with $12.50, which keeps what it is told to transfer. */
async function openExchange() {
  const transfers: unknown[] = [];
  const server = createServer(async (request, reply) => {
    const body = await text(request);
    if (request.url === '/_control/transfer') transfers.push(JSON.parse(body));
    const left_out = [
      { reason: 'it has no order book', count: 2 },
      { reason: 'its fee is not known', count: 7 },
    ];
    const catalogue = { markets: 40, catalogue_complete: true, catalogue_trouble: null, left_out };
    reply.end(JSON.stringify({ fills: 'latency', cash: '12.5', ...catalogue }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, transfers, [Symbol.asyncDispose]: async () => void server.close() };
}

async function openSite(variables: Record<string, string>) {
  const site = await openTestApp({ variables });
  registerPaper(site.app, site.test.runtime);
  const move = async (kind: string, usd: number, isSuperuser = true) => {
    const { headers } = await site.signedIn({ isSuperuser });
    const url = '/api/v1/ledger/paper-transfers';
    const answer = await site.http.inject({ method: 'POST', url, headers, payload: { kind, usd } });
    const { detail, message } = answer.json();
    return [answer.statusCode, detail ?? message];
  };
  return { site, move };
}

it('a superuser deposits into the paper account and withdraws what it has, and each is written down', async () => {
  await using exchange = await openExchange();
  const { site, move } = await openSite({ VENUE: 'paper', POLYMARKET_CLOB_URL: exchange.url });
  await using _ = site;
  expect(await move('deposit', 250.5)).toEqual([200, 'The dollars are on their way in']);
  expect(await move('withdrawal', 12.5)).toEqual([200, 'The dollars are on their way out']);
  expect(await move('withdrawal', 12.51)).toEqual([409, 'The account has $12.50']);
  expect((await move('deposit', 5, false))[0]).toBe(403);
  expect((await move('deposit', 0))[0]).toBe(422);
  expect(exchange.transfers).toEqual([{ usd: '250.5' }, { usd: '-12.5' }]);
  const written = await site.test.runtime.db.select().from(auditLog).orderBy(auditLog.seq);
  expect(written.map(({ action, object, after }) => [action, object, after])).toEqual([
    ['paper.transferred', 'deposit', { usd: 250.5, venue: 'polymarket' }],
    ['paper.transferred', 'withdrawal', { usd: 12.5, venue: 'polymarket' }],
  ]);
});

it('no other account is moved by hand', async () => {
  const { site, move } = await openSite({ VENUE: 'polymarket' });
  await using _ = site;
  expect(await move('deposit', 5)).toEqual([404, 'Only the account of paper trading can be changed']);
});

it('the census says what of the real venue is not traded on paper, and why it is not known', async () => {
  await using exchange = await openExchange();
  const onPaper = await openSite({ VENUE: 'paper', POLYMARKET_CLOB_URL: exchange.url });
  await using paper = onPaper.site;
  expect(await readMirror(paper.test.runtime.config)).toEqual({
    ...{ markets: 40, complete: true, trouble: null },
    left_out: [
      { reason: 'its fee is not known', markets: 7 },
      { reason: 'it has no order book', markets: 2 },
    ],
  });
  await exchange[Symbol.asyncDispose]();
  const gone = { ...paper.test.runtime.config.polymarket, clobUrl: 'http://127.0.0.1:1' };
  expect(await readMirror({ ...paper.test.runtime.config, polymarket: gone })).toMatchObject({
    ...{ left_out: [], complete: false },
    trouble: 'The simulated exchange does not answer',
  });
  const real = await openSite({ VENUE: 'polymarket' });
  await using _ = real.site;
  expect(await readMirror(real.site.test.runtime.config)).toBeNull();
});

const RUN = 'c0ffee00-0000-4000-8000-00000000000a';

describe('starting over', () => {
  async function openDesk(url = 'http://127.0.0.1:1', venues = 'paper') {
    const kalshi = { KALSHI_API_URL: `${url}/trade-api/v2`, KALSHI_WS_URL: 'ws://127.0.0.1:1/ws' };
    const opened = await openSite({ VENUE: venues, POLYMARKET_CLOB_URL: url, ...(venues === 'paper' ? {} : kalshi) });
    const { site } = opened;
    const { db, clock } = site.test.runtime;
    const { headers } = await site.signedIn({ isSuperuser: true });
    const ask = async (id = RUN, cash_usd: unknown = 500, as = headers) => {
      const url = '/api/v1/ledger/start-over';
      const answer = await site.http.inject({ method: 'POST', url, headers: as, payload: { id, cash_usd } });
      const { detail, status } = answer.json();
      return [answer.statusCode, detail ?? status];
    };
    const arm = (armed: boolean) =>
      db
        .insert(tradingControls)
        .values(['paper', 'kalshi:paper'].map((venue) => ({ venue, armed })))
        .onConflictDoUpdate({ target: tradingControls.venue, set: { armed } });
    const compared = async (differences: Difference[]) => {
      const cash = usdFromText('1000');
      for (const venue of venues === 'paper' ? (['polymarket'] as const) : VENUE_NAMES) {
        const check = { id: rowIdOf(venue), at: clock.now(), venueCash: cash, ledgerCash: cash, differences };
        await db.insert(ledgerChecks).values(check).onConflictDoUpdate({ target: ledgerChecks.id, set: check });
      }
    };
    return { ...opened, db, ask, arm, compared };
  }

  it('is recorded once for a superuser, while trading is disarmed and nothing is on its way', async () => {
    const { site, ask, arm, compared, move, db } = await openDesk();
    await using _ = site;
    const viewer = (await site.signedIn({ isSuperuser: false })).headers;
    expect((await ask(RUN, 500, viewer))[0]).toBe(403);
    for (const cash of [0, -5, '500', null, 1e12]) expect((await ask(RUN, cash))[0], String(cash)).toBe(422);
    expect(await ask()).toEqual([409, 'Disarm trading first: that cancels what is open.']);
    await arm(false);
    expect(await ask()).toEqual([
      409,
      'The ledger has not been compared with the exchange yet: try again in a minute.',
    ]);
    const difference = { unit: 'usd', amount: 5, since: site.test.runtime.clock.now(), isNotified: false };
    await compared([difference]);
    expect(await ask()).toEqual([409, 'The ledger and the exchange differ: the Ledger page says by what.']);
    await compared([]);
    expect([await ask(), await ask()]).toEqual([
      [200, 'recorded'],
      [200, 'recorded'],
    ]);
    const waits = 'The account is starting over: wait until the new run has begun.';
    expect(await ask(RUN.replace(/a$/, 'b'))).toEqual([409, waits]);
    const other = 'It was asked for with $500.00 before: a run begins with one sum.';
    expect(await ask(RUN, 600)).toEqual([409, other]);
    expect(await move('deposit', 5)).toEqual([409, waits]);
    const written = await db.select().from(auditLog);
    expect(written.map(({ action, after }) => [action, after])).toEqual([['paper.started_over', { cash: '$500.00' }]]);
    expect(await db.$count(startOvers)).toBe(1);
  });

  it('is refused to accounts that are not on paper', async () => {
    for (const variables of [{ VENUE: 'polymarket' }, { VENUE: 'simulated' }]) {
      const { site } = await openSite(variables);
      await using _ = site;
      const { headers } = await site.signedIn({ isSuperuser: true });
      const asked = { method: 'POST' as const, url: '/api/v1/ledger/start-over', headers };
      const answer = await site.http.inject({ ...asked, payload: { id: RUN, cash_usd: 5 } });
      expect([answer.statusCode, answer.json().detail]).toEqual([
        404,
        'Only an account of paper trading can start over',
      ]);
    }
  });

  type Answered = [status: number, body: object] | null;
  const NOT_ENDED = { in: null, out: null };

  /** A start over that is recorded, and an exchange that ends runs as it is told to; `null` takes a call and loses its answer. */
  async function openAsked(venues: readonly VenueName[] = ['polymarket']) {
    /** What a venue answers to the end itself; a check and a keep before it are answered by what it has ended. */
    const answers: Partial<Record<VenueName, Answered>> = {};
    const hasEnded: Partial<Record<VenueName, object>> = {};
    const asked: string[] = [];
    const kept = new Set<VenueName>();
    let onCheck = async () => {};
    const alreadySaid = (venue: VenueName, step: string | undefined): Answered => {
      if (step !== undefined && hasEnded[venue] !== undefined) return [200, hasEnded[venue]];
      if (step !== 'keep')
        return step !== 'go_on' && kept.has(venue) ? [409, { error: 'the end of this run was given up' }] : null;
      kept.add(venue);
      return [200, NOT_ENDED];
    };
    const answerTo = async (venue: VenueName, step: string | undefined): Promise<Answered> => {
      const answer = answers[venue] ?? null;
      if (step === 'check') await onCheck();
      const said = alreadySaid(venue, step);
      if (said !== null) return said;
      if (step === 'check') return answer?.[0] === 200 || answer === null ? [200, NOT_ENDED] : answer;
      if (answer?.[0] === 200) hasEnded[venue] = answer[1];
      return answer;
    };
    const server = createServer(async (request, reply) => {
      const venue = request.url?.includes('/kalshi/') === true ? 'kalshi' : 'polymarket';
      if (request.url?.endsWith('/end_run') !== true) return reply.writeHead(404).end('{}');
      const { step } = JSON.parse(await text(request)) as { step?: string };
      asked.push(`${venue} ${step ?? 'end'}`);
      const answer = await answerTo(venue, step);
      if (answer === null) return reply.socket?.destroy();
      return reply.writeHead(answer[0]).end(JSON.stringify(answer[1]));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const desk = await openDesk(`http://127.0.0.1:${port}`, venues.length > 1 ? `paper:${venues.join()}` : 'paper');
    const { runtime } = desk.site.test;
    await desk.arm(false);
    await desk.compared([]);
    await desk.ask();
    let block = 5;
    const balances = async () => ({ cash: 0 as Usd, shares: new Map(), block: block++ });
    const chain = { balances, transfers: async () => ({ transfers: [], taken: [], through: 5 }) };
    const follow = openStartOverLoop({ runtime, accounts: venues.map((venue) => ({ venue, moves: chain })) });
    return {
      ...desk,
      asked,
      /** What happens while a venue checks. */
      meanwhile: (react: () => Promise<void>) => {
        onCheck = react;
      },
      follow: async (answer: Answered, ofKalshi: Answered = null) => {
        Object.assign(answers, { polymarket: answer, kalshi: ofKalshi });
        await follow();
        const [row] = await desk.db.select().from(startOvers);
        return [row?.status, row?.reason ?? null, row?.fromBlock ?? null];
      },
      lost: (venue: VenueName, body: object) => {
        hasEnded[venue] = body;
      },
      giveUp: async (id = RUN) => {
        const { headers } = await desk.site.signedIn({ isSuperuser: true });
        const url = '/api/v1/ledger/start-over/give-up';
        const answer = await desk.site.http.inject({ method: 'POST', url, headers, payload: { id } });
        const { detail, status, may_be_given_up } = answer.json();
        return [answer.statusCode, detail ?? status, may_be_given_up];
      },
      askedMinutesAgo: async (minutes: number) =>
        await desk.db.update(startOvers).set({ createdAt: (runtime.clock.now() - minutes * 60_000) as Instant }),
      [Symbol.asyncDispose]: async () => {
        server.close();
        await desk.site[Symbol.asyncDispose]();
      },
    };
  }

  const OUT_OF_REACH = 'the books of 2 markets that are held are out of reach at the real venue';
  const REFUSED = [409, { error: OUT_OF_REACH }] satisfies [number, object];
  const ENDED = [200, { in: '0x1', out: '0x2' }] satisfies [number, object];
  const ANOTHER_RUN = RUN.replace(/a$/, 'b');

  it('ends at no venue while one of them refuses it, and says which and why', async () => {
    await using desk = await openAsked(VENUE_NAMES);
    expect(await desk.follow(ENDED, REFUSED)).toEqual(['recorded', `Kalshi: ${OUT_OF_REACH}.`, null]);
    const both = `Polymarket: ${OUT_OF_REACH}. Kalshi: ${OUT_OF_REACH}.`;
    expect(await desk.follow(REFUSED, REFUSED)).toEqual(['recorded', both, null]);
    expect(desk.asked.filter((call) => call.endsWith('end'))).toEqual([]);
    await desk.askedMinutesAgo(10);
    expect(await desk.follow(ENDED, REFUSED)).toEqual(['rejected', `Kalshi: ${OUT_OF_REACH}.`, null]);
    expect(await desk.ask(ANOTHER_RUN)).toEqual([200, 'recorded']);
  });

  it('is given up by a superuser, which leaves the old run, while no venue has ended it', async () => {
    await using desk = await openAsked(VENUE_NAMES);
    await desk.follow(ENDED, REFUSED);
    expect(await desk.giveUp(ANOTHER_RUN)).toEqual([404, 'Start over not found', undefined]);
    expect(await desk.giveUp()).toEqual([200, 'recorded', false]);
    expect((await desk.follow(ENDED, ENDED))[0]).toBe('rejected');
    expect(await desk.giveUp()).toEqual([200, 'rejected', false]);
    expect(desk.asked).toEqual(['polymarket check', 'kalshi check']);
    const actions = (await desk.db.select().from(auditLog).orderBy(auditLog.seq)).map(({ action }) => action);
    expect(actions).toEqual(['paper.started_over', 'paper.start_over_given_up']);
    expect(await desk.ask(ANOTHER_RUN)).toEqual([200, 'recorded']);
  });

  it('is given up after an end whose answer was lost only where the exchange keeps the run', async () => {
    await using kept = await openAsked();
    const silent = 'Polymarket: The simulated exchange does not answer.';
    expect(await kept.follow(null)).toEqual(['recorded', silent, 5]);
    expect(await kept.giveUp()).toEqual([200, 'recorded', false]);
    expect((await kept.follow(null))[0]).toBe('rejected');
    expect(kept.asked).toEqual(['polymarket check', 'polymarket end', 'polymarket keep']);
    await using ended = await openAsked();
    await ended.follow(null);
    ended.lost('polymarket', { in: '0x1', out: null });
    await ended.giveUp();
    expect(await ended.follow(null)).toEqual(['recorded', 'It was too late to give it up.', 5]);
    const tooLate = 'The old run has ended at a venue already: the new one begins.';
    expect(await ended.giveUp()).toEqual([409, tooLate, undefined]);
    expect((await ended.follow(null))[0]).toBe('ended');
  });

  it('ends also at a venue that was to keep the run, where the other turns out to have ended it', async () => {
    await using desk = await openAsked(VENUE_NAMES);
    await desk.follow(null, null);
    desk.lost('kalshi', { in: '0x3', out: null });
    await desk.giveUp();
    expect((await desk.follow(null, null))[1]).toBe('It was too late to give it up.');
    expect((await desk.follow(ENDED, null))[0]).toBe('ended');
  });

  it('asks no venue any more that has been given up while it was checked', async () => {
    await using desk = await openAsked();
    desk.meanwhile(async () => void (await desk.giveUp()));
    await desk.follow(ENDED);
    expect((await desk.follow(ENDED))[0]).toBe('rejected');
    expect(desk.asked.filter((call) => call.endsWith('end'))).toEqual([]);
  });

  it('goes on at the venue that refuses it, for as long as that takes, once it has ended at the other', async () => {
    await using desk = await openAsked(VENUE_NAMES);
    const refuses = `Kalshi: The simulated exchange does not answer.`;
    expect(await desk.follow(ENDED, null)).toEqual(['recorded', refuses, 5]);
    await desk.askedMinutesAgo(60);
    expect(await desk.follow(null, REFUSED)).toEqual(['recorded', `Kalshi: ${OUT_OF_REACH}.`, 5]);
    expect((await desk.follow(null, [200, { in: '0x3', out: null }]))[0]).toBe('ended');
    expect(await desk.db.select().from(startOvers)).toMatchObject([
      { cameBy: '0x1', leftBy: '0x2', beside: { kalshi: { from: 6, cameBy: '0x3', leftBy: null } } },
    ]);
  });

  it('is asked for again where the answer was lost, though the ledger differs by then by what was closed', async () => {
    await using desk = await openAsked();
    await desk.follow(null);
    await desk.compared([{ unit: 'token', amount: -5, since: desk.site.test.runtime.clock.now(), isNotified: true }]);
    const booked = 'The exchange has closed everything: its transactions are booked within minutes.';
    expect(await desk.follow([200, { in: '0x1', out: null }])).toEqual(['ended', booked, 5]);
  });
});
