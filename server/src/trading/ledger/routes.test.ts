import { usdFromText } from '@dutchbook/units/usd.ts';
import { desc } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { auditLog } from '../../platform/audit/table.ts';
import { openTestApp, type TestApp } from '../../platform/http/app.fixture.ts';
import { compareWithVenue } from './compare.ts';

const API = '/api/v1/ledger';

async function openLedger(site: TestApp) {
  const { headers } = await site.signedIn({ email: 'root@example.com', isSuperuser: true });
  const get = async (path: string) => (await site.http.inject({ url: `${API}${path}`, headers })).json();
  const post = async (path: string, payload?: object) => {
    const reply = await site.http.inject({
      method: 'POST',
      url: `${API}${path}`,
      headers,
      ...(payload && { payload }),
    });
    return { status: reply.statusCode, body: reply.json() };
  };
  const { runtime } = site.test;
  let cash = '100';
  const compare = (has: string) => {
    cash = has;
    const at = runtime.clock.now();
    return compareWithVenue({
      runtime,
      account: { refresh: async () => ({ cash: usdFromText(cash), allowances: null, at }) },
      trading: { positions: async () => [], refreshHoldings: async () => {} },
      catalogue: { marketsById: async () => new Map(), eventsById: async () => [] },
      chain: null,
    });
  };
  return { get, post, compare };
}

const DEPOSIT = { kind: 'deposit', unit: 'usd', amount: '5.25', reason: 'From the bank' };

describe('the ledger over HTTP', () => {
  it('enters what a superuser states, audited, and then agrees with the venue', async () => {
    await using site = await openTestApp();
    const { get, post, compare } = await openLedger(site);
    await compare('100');
    await site.test.time.advance(60_000);
    await compare('105.25');
    expect((await get('/balances')).check).toEqual({
      at: '2026-01-01T00:01:00.000Z',
      venue_cash_usd: 105.25,
      ledger_cash_usd: 100,
      differences: [
        {
          unit: 'usd',
          market_name: null,
          amount: '5.25',
          explanation: 'The venue has $5.25 more than the ledger: unexplained $5.25.',
        },
      ],
      since: '2026-01-01T00:01:00.000Z',
    });
    const { status, body } = await post('/statements', DEPOSIT);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: 2,
      kind: 'deposit',
      usd: 5.25,
      stated_by: 'root@example.com',
      reason: 'From the bank',
    });
    expect(body.lines).toEqual([
      { account: 'cash', unit: 'usd', amount: '5.25' },
      { account: 'outside', unit: 'usd', amount: '-5.25' },
    ]);
    const [audited] = await site.test.runtime.db.select().from(auditLog).orderBy(desc(auditLog.seq)).limit(1);
    expect(audited).toMatchObject({ action: 'ledger.stated', object: '2', actor: 'root@example.com' });
    await site.test.time.advance(60_000);
    await compare('105.25');
    expect(await get('/balances')).toMatchObject({
      accounts: [
        { account: 'cash', unit: 'usd', amount: '105.25' },
        { account: 'outside', unit: 'usd', amount: '-105.25' },
      ],
      tokens: 0,
      check: { differences: [], since: null },
    });
  });

  it.each([
    [{ amount: '0' }, 'Input should not be 0'],
    [{ amount: '-1' }, 'A deposit is above 0'],
    [{ kind: 'withdrawal' }, 'A withdrawal is below 0'],
    [{ unit: 'doge' }, 'Input should be usd or the id of a token'],
    [{ amount: '0.0000001' }, 'Input should be a number with at most six decimals'],
    [{ reason: '' }, 'A reason is needed'],
  ])('refuses a statement with %o', async (changed, message) => {
    await using site = await openTestApp();
    const { get, post } = await openLedger(site);
    const { status, body } = await post('/statements', { ...DEPOSIT, ...changed });
    expect([status, body.detail[0].msg]).toEqual([422, message]);
    expect((await get('/')).count).toBe(0);
  });

  it('lists entries newest first, in pages, and by what is asked for', async () => {
    await using site = await openTestApp();
    const { get, post } = await openLedger(site);
    await post('/statements', DEPOSIT);
    await site.test.time.advance(1000);
    await post('/statements', { ...DEPOSIT, kind: 'withdrawal', amount: '-1' });
    await site.test.time.advance(1000);
    await post('/statements', { ...DEPOSIT, kind: 'correction', unit: '71', amount: '-3' });
    const ids = async (query: string) => (await get(`/${query}`)).data.map(({ id }: { id: number }) => id);
    expect(await ids('')).toEqual([3, 2, 1]);
    expect(await ids('?sort_order=asc&skip=1&limit=1')).toEqual([2]);
    expect((await get('/?limit=1')).count).toBe(3);
    expect(await ids('?kind=withdrawal')).toEqual([2]);
    expect(await ids('?account=shares')).toEqual([3]);
    expect(await ids('?account=cash&unit=71')).toEqual([]);
    expect(await ids('?unit=71')).toEqual([3]);
    expect(await ids('?since=2026-01-01T00:00:01Z&until=2026-01-01T00:00:02Z')).toEqual([2]);
    expect(await get('/balances')).toMatchObject({ tokens: 1, check: null });
  });

  it('verifies everything that was entered, to whoever asks', async () => {
    await using site = await openTestApp();
    const { get, post } = await openLedger(site);
    expect((await post('/verify')).body).toEqual({ intact: true, blocks: 0, entries: 0, head: null, broken_at: null });
    await post('/statements', DEPOSIT);
    const { body } = await post('/verify');
    expect(body).toMatchObject({ intact: true, blocks: 1, entries: 1, broken_at: null });
    expect((await get('/')).data[0]).toMatchObject({ block: 1 });
  });
});
