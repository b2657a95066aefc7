import { API_PREFIX } from '@dutchbook/contract/endpoint.ts';
import { usdFromText } from '@dutchbook/units/usd.ts';
import type { CashMove, Pocket } from '@dutchbook/venues/venue-pockets.ts';
import { describe, expect, it } from 'vitest';
import { auditLog } from '../../platform/audit/table.ts';
import { openTestApp, type TestApp } from '../../platform/http/app.fixture.ts';
import { registerCashMoves } from './routes.ts';
import { cashMoves } from './table.ts';

const id = (last: number) => `c0ffee00-0000-4000-8000-00000000000${last}`;
const MOVE = { id: id(1), venue: 'kalshi', from_pocket: '0', to_pocket: '2', amount_usd: 40 };

/** An account at Kalshi with two shards, and a superuser of the desk. */
async function openMoves(site: TestApp, { hasKey = true }: { hasKey?: boolean } = {}) {
  const { runtime } = site.test;
  const calls: CashMove[] = [];
  const pocket = (name: string): Pocket => ({
    name,
    description: '',
    trades: true,
    takesMoves: true,
    targetPercent: null,
  });
  const move = async (asked: CashMove) => {
    calls.push(asked);
    return { kind: 'taken' as const };
  };
  const pockets = { list: async () => ['0', '2'].map(pocket), hasPassed: async () => true, ...(hasKey && { move }) };
  const held = new Map([['0', usdFromText('100')]]);
  const reading = { cash: usdFromText('100'), pockets: held, allowances: null, at: runtime.clock.now() };
  const account = { reading: () => reading, refresh: async () => reading, stop: () => {} };
  const kalshi = { name: 'kalshi' as const, account, trading: { pockets } };
  const polymarket = { name: 'polymarket' as const, account, trading: {} };
  registerCashMoves(site.app, { runtime, desks: { all: [polymarket, kalshi] } });
  const { user, headers } = await site.signedIn({ isSuperuser: true });
  const send = async (method: 'GET' | 'POST', path: string, payload?: object) => {
    const given = payload === undefined ? {} : { payload };
    const reply = await site.http.inject({ method, url: `${API_PREFIX}${path}`, headers, ...given });
    return { status: reply.statusCode, body: reply.json() };
  };
  return {
    ...{ user, calls },
    ask: (changed: object = {}) => send('POST', '/cash-moves', { ...MOVE, ...changed }),
    close: (wasMade: unknown, of = id(1)) => send('POST', `/cash-moves/${of}/close`, { was_made: wasMade }),
    pockets: () => send('GET', '/cash-pockets'),
    rows: () => runtime.db.select().from(cashMoves),
    set: (fields: Partial<typeof cashMoves.$inferInsert>) => runtime.db.update(cashMoves).set(fields),
    actions: async () =>
      (await runtime.db.select().from(auditLog).orderBy(auditLog.seq)).map(({ action, object, actor, after }) => ({
        ...{ action, object, actor, after },
      })),
  };
}

describe('moving cash over the API', () => {
  it('records one move and one entry however often it is asked for, and no second one beside it', async () => {
    await using site = await openTestApp();
    const desk = await openMoves(site);
    const replies = await Promise.all([
      desk.ask(),
      desk.ask(),
      desk.ask({ id: id(2) }),
      desk.ask({ id: id(1).toUpperCase() }),
    ]);
    const opened = await desk.rows();
    expect(opened).toHaveLength(1);
    const [{ id: winner } = expect.unreachable()] = opened;
    for (const [place, { status, body }] of replies.entries()) {
      const isOwn = winner === (place === 2 ? id(2) : id(1));
      if (isOwn) expect([status, body]).toMatchObject([200, { id: winner, status: 'recorded', amount_usd: 40 }]);
      else expect([status, body]).toEqual([409, { detail: 'Another move at Kalshi has not ended.' }]);
    }
    const after = { amount: '$40.00', from: '0', to: '2' };
    expect(await desk.actions()).toEqual([{ action: 'cash.moved', object: 'kalshi', actor: desk.user.email, after }]);
    // It is the engine that asks the venue.
    expect(desk.calls).toEqual([]);
  });

  it('answers the id of a move that has ended with that move, and refuses it for another', async () => {
    await using site = await openTestApp();
    const desk = await openMoves(site);
    await desk.ask();
    await desk.set({ status: 'done', endedAt: site.test.runtime.clock.now() });
    expect(await desk.ask()).toMatchObject({ status: 200, body: { status: 'done' } });
    for (const other of [{ amount_usd: 40.01 }, { from_pocket: '2', to_pocket: '0' }, { venue: 'polymarket' }])
      expect(await desk.ask(other)).toEqual({ status: 409, body: { detail: 'The id was used for another move.' } });
    expect((await desk.rows()).map(({ status }) => status)).toEqual(['done']);
    expect(await desk.ask({ id: id(2), from_pocket: '2', to_pocket: '0' })).toMatchObject({ status: 200 });
  });

  it('refuses what is no amount, no shard or no move, and records nothing of it', async () => {
    await using site = await openTestApp();
    const desk = await openMoves(site);
    const bad = [
      ...[0, -1, 0.001, 0.00001, 40.001, 100_000_000.01, 1e15, 1e308, '40', null, [40]].map((amount_usd) => ({
        amount_usd,
      })),
      ...['', '-1', '0x1', ' 0', '0.0', '12345', '9'.repeat(100_000), 0, null].map((from_pocket) => ({ from_pocket })),
      ...['no', id(1).repeat(1000), null].map((given) => ({ id: given })),
      ...[{ venue: 'elsewhere' }, { subaccount: 3 }],
    ];
    for (const changed of bad) expect((await desk.ask(changed)).status, JSON.stringify(changed).slice(0, 80)).toBe(422);
    for (const [changed, detail] of [
      [{ to_pocket: '0' }, 'Choose two different shards.'],
      [{ from_pocket: '02' }, 'Choose two different shards.'],
      [{ venue: 'polymarket' }, 'All cash at Polymarket lies in one place.'],
    ] as const)
      expect(await desk.ask(changed)).toEqual({ status: 409, body: { detail } });
    expect([await desk.rows(), await desk.actions()]).toEqual([[], []]);
  });

  it('says that there is no key that may move cash, and still shows the shards', async () => {
    await using site = await openTestApp();
    const desk = await openMoves(site, { hasKey: false });
    const detail =
      'No key of this desk may move cash: set KALSHI_TRANSFER_KEY_ID, or move it on the pages of the venue.';
    expect(await desk.ask()).toEqual({ status: 409, body: { detail } });
    expect((await desk.pockets()).body.venues).toMatchObject([
      {
        venue: 'kalshi',
        move_refusal: detail,
        pockets: [
          { name: '0', free_usd: 100 },
          { name: '2', free_usd: null },
        ],
      },
    ]);
    expect(await desk.rows()).toEqual([]);
  });

  it('takes what a superuser states of an unknown move once, audited, and of no other', async () => {
    await using site = await openTestApp();
    const desk = await openMoves(site);
    expect((await desk.close(true)).status).toBe(404);
    await desk.ask();
    for (const status of ['recorded', 'sent'] as const) {
      await desk.set({ status });
      expect(await desk.close(false)).toMatchObject({ status: 409 });
    }
    await desk.set({ status: 'unknown' });
    expect((await desk.close('yes')).status).toBe(422);
    const both = await Promise.all([desk.close(false), desk.close(true)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const wasMade = both[1]?.status === 200;
    const reason = `${desk.user.email} has looked it up at the venue`;
    expect(await desk.rows()).toMatchObject([{ status: wasMade ? 'done' : 'rejected', reason }]);
    expect((await desk.actions()).slice(1)).toMatchObject([
      { action: 'cash.stated', after: { amount: '$40.00', was_made: wasMade } },
    ]);
    expect(await desk.ask({ id: id(2) })).toMatchObject({ status: 200 });
  });
});
