import { linesOfArrival } from '@dutchbook/engine/ledger/entries-from-outside.ts';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { usdFromText } from '@dutchbook/units/usd.ts';
import { desc } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { auditLog } from '../../platform/audit/table.ts';
import { openTestApp, type TestApp } from '../../platform/http/app.fixture.ts';
import { compareWithVenue } from './compare.ts';
import { ledgerEntries } from './table.ts';

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
      venue: 'polymarket',
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
  it('enters what is stated of another venue in the cash of that one, and refuses a token with another venue than its own', async () => {
    await using site = await openTestApp();
    const { get, post } = await openLedger(site);
    const { body } = await post('/statements', { ...DEPOSIT, venue: 'kalshi' });
    expect(body.lines).toEqual([
      { account: 'cash@kalshi', unit: 'usd', amount: '5.25' },
      { account: 'outside', unit: 'usd', amount: '-5.25' },
    ]);
    expect(body.usd).toBe(5.25);
    expect((await post('/statements', { ...DEPOSIT, unit: 'kalshi:RAIN:yes' })).status).toBe(200);
    expect(await get('/balances')).toMatchObject({ check: null, checks: [], tokens: 1 });
    const { status, body: refusal } = await post('/statements', { ...DEPOSIT, unit: '71', venue: 'kalshi' });
    expect([status, refusal.detail]).toMatchObject([422, [{ loc: ['body', 'venue'] }]]);
    expect((await post('/statements', { ...DEPOSIT, unit: 'kalshi:' })).status).toBe(422);
  });

  it('enters what a superuser states, audited, and then agrees with the venue', async () => {
    await using site = await openTestApp();
    const { get, post, compare } = await openLedger(site);
    await compare('100');
    await site.test.time.advance(60_000);
    await compare('105.25');
    expect((await get('/balances')).check).toEqual({
      venue: 'polymarket',
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

  it('has a superuser say once what dollars of unknown origin are, which is income by when they came', async () => {
    await using site = await openTestApp();
    const { runtime } = site.test;
    const twoDaysAgo = instantFromMs(runtime.clock.now() - 2 * 86_400_000);
    const { headers } = await site.signedIn({ email: 'viewer@example.com' });
    const { get, post } = await openLedger(site);
    const came = [
      { kind: 'unknown', micro: 10_000_000 },
      { kind: 'unknown', micro: 2_000_000 },
      { kind: 'rebate', micro: 250_001 },
    ] as const;
    for (const { kind, micro } of came)
      await runtime.db.insert(ledgerEntries).values({
        ...{ at: twoDaysAgo, kind, lines: linesOfArrival(kind, micro, 'polymarket'), transactionHash: `0x${micro}` },
        sender: `0x${'5'.repeat(40)}`,
      });
    const naming = { entry_id: 1, kind: 'reward', reason: 'Announced on Friday' };
    const { status, body } = await post('/names', naming);
    expect([status, body]).toMatchObject([
      200,
      { kind: 'reward', usd: 0, names_entry_id: 1, stated_by: 'root@example.com', reason: 'Announced on Friday' },
    ]);
    expect(body.lines).toEqual([
      { account: 'unnamed', unit: 'usd', amount: '10' },
      { account: 'income', unit: 'usd', amount: '-10' },
    ]);
    const [audited] = await runtime.db.select().from(auditLog).orderBy(desc(auditLog.seq)).limit(1);
    expect(audited).toMatchObject({ action: 'ledger.named', object: '4', after: { names_entry_id: 1, usd: '10' } });
    expect(await post('/names', naming)).toMatchObject({
      status: 409,
      body: { detail: 'These dollars were named by entry 4.' },
    });
    expect(await post('/names', { ...naming, entry_id: 3 })).toMatchObject({ status: 404 });
    const asViewer = await site.http.inject({ method: 'POST', url: `${API}/names`, headers, payload: naming });
    expect(asViewer.statusCode).toBe(403);

    const listed = (await get('/?kind=unknown')).data as { id: number; named_as: string | null; sender: string }[];
    expect(listed.map(({ id, named_as, sender }) => [id, named_as, sender.length])).toEqual([
      [2, null, 42],
      [1, 'reward', 42],
    ]);
    expect((await get('/balances')).accounts).toEqual([
      { account: 'cash', unit: 'usd', amount: '12.250001' },
      { account: 'income', unit: 'usd', amount: '-10.250001' },
      { account: 'unnamed', unit: 'usd', amount: '-2' },
    ]);
    expect((await post('/verify')).body).toMatchObject({ intact: true, entries: 4 });
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
    await post('/statements', { ...DEPOSIT, venue: 'kalshi' });
    await post('/statements', { ...DEPOSIT, kind: 'correction', unit: 'kalshi:GUST:yes', amount: '3' });
    expect(await ids('?venue=kalshi')).toEqual([5, 4]);
    expect(await ids('?venue=polymarket')).toEqual([3, 2, 1]);
  });

  it('verifies everything that was entered, for any caller', async () => {
    await using site = await openTestApp();
    const { get, post } = await openLedger(site);
    expect((await post('/verify')).body).toEqual({ intact: true, blocks: 0, entries: 0, head: null, broken_at: null });
    await post('/statements', DEPOSIT);
    const { body } = await post('/verify');
    expect(body).toMatchObject({ intact: true, blocks: 1, entries: 1, broken_at: null });
    expect((await get('/')).data[0]).toMatchObject({ block: 1 });
  });
});
