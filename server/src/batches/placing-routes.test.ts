import { API_PREFIX } from '@dutchbook/contract/endpoint.ts';
import { priceFromText } from '@dutchbook/units/price.ts';
import { usdFromText } from '@dutchbook/units/usd.ts';
import { asc, sql } from 'drizzle-orm';
import { describe, expect, it, vi } from 'vitest';
import { openApp } from '../http/open-app.ts';
import { openSessions } from '../login/sessions.ts';
import { type Desk, openDesk } from '../trading/prices/live-prices.fixture.ts';
import { scriptedControls } from '../trading-controls/controls.fixture.ts';
import { DatabaseDown } from '../world/database-down.ts';
import { auditLog, batches, opportunities, users } from '../world/schema.ts';
import { type TestDatabase, testDatabases } from '../world/test-world.ts';
import { registerPlacing } from './placing-routes.ts';

type Answer = { status: number; json: { id?: string; detail?: string } };

type Site = AsyncDisposable & {
  desk: Desk;
  /** Places an order of what `rain` pays, as somebody with money for it. */
  place: (query?: string, key?: string) => Promise<Answer>;
  /** Why the same would be refused. */
  simulatedErrors: () => Promise<string[]>;
  opportunityId: string;
  /** What happens while the account is asked for its cash. */
  onAccountAsked: (react: () => Promise<void>) => void;
  /** What happens as soon as an order has been recorded. */
  onRecorded: (react: () => void) => void;
};

async function openSite(kind: TestDatabase): Promise<Site> {
  const desk = await openDesk(kind);
  const { world } = desk.test;
  desk.venue.list('rain');
  desk.venue.setBooks({ 'rain:yes': { asks: [['0.45', '500']] } });
  const { id: opportunityId } = await desk.add(['rain Yes'], { target_price: 0.5 });
  desk.settings.change({ AUTO_PLACE_ORDER_ENABLED: false });
  const { quotes } = await desk.start();
  let recorded = () => {};
  let accountAsked = async () => {};
  const sessions = openSessions(world);
  const app = await openApp(world, sessions, { webFolder: `${world.config.dataDir}/no-pages`, onAnswer: () => {} });
  const reading = () => ({ cash: usdFromText('1000'), at: world.clock.now() });
  registerPlacing(app, {
    world,
    quotes,
    catalogue: desk.venue.venue.catalogue,
    settings: desk.settings,
    controls: scriptedControls(),
    account: {
      reading,
      refresh: async () => {
        await accountAsked();
        return reading();
      },
      stop: () => {},
    },
    readiness: () => ({ armed: true, reconciled: true, corruptSettings: [], clockSkewMs: null }),
    placing: { wake: () => recorded(), isReconciled: () => true, stop: async () => {} },
  });
  const authorization = `Bearer ${await sessions.issue(await signUp(desk))}`;
  return {
    desk,
    opportunityId,
    onAccountAsked: (react) => {
      accountAsked = react;
    },
    onRecorded: (react) => {
      recorded = react;
    },
    place: async (query = '', key) => {
      const url = `${API_PREFIX}/arbitrage/place-order/${opportunityId}${query}`;
      const headers = { authorization, ...(key !== undefined && { 'idempotency-key': key }) };
      const reply = await app.http.inject({ method: 'POST', url, headers });
      return { status: reply.statusCode, json: reply.json() };
    },
    simulatedErrors: async () => {
      const url = `${API_PREFIX}/arbitrage/simulate-orders/${opportunityId}`;
      const reply = await app.http.inject({ method: 'GET', url, headers: { authorization } });
      return reply.json().errors;
    },
    [Symbol.asyncDispose]: async () => {
      await app.http.close();
      await desk[Symbol.asyncDispose]();
    },
  };
}

async function signUp({ test }: Desk) {
  const { clock, db, dice } = test.world;
  const email = 'operator@example.com';
  const flags = { isSuperuser: false, isActive: true };
  const facts = { id: dice.uuid(), email, passwordHash: 'none', createdAt: clock.now(), ...flags };
  const [user] = await db.insert(users).values(facts).returning();
  if (user === undefined) throw new Error('the user was not stored');
  return user;
}

describe.each(testDatabases)('the audit log of orders on %s', (kind) => {
  it('says once who placed what at which price, and nothing of what was refused', async () => {
    await using site = await openSite(kind);
    const { db } = site.desk.test.world;
    const placed = await site.place('?order_size=7&quoted_price=0.45', 'once');
    expect(placed).toMatchObject({ status: 200, json: { order_size: 7 } });
    expect(await site.place('?order_size=7&quoted_price=0.45', 'once')).toEqual(placed);
    expect(await site.place()).toMatchObject({ status: 409 });
    expect(await db.select().from(auditLog).orderBy(asc(auditLog.seq))).toMatchObject([
      {
        action: 'order.placed',
        object: placed.json.id,
        actor: 'operator@example.com',
        before: null,
        after: { opportunity_id: site.opportunityId, order_size: 7, quoted_price: 0.45 },
      },
    ]);
  });

  it('stands with the batch or not at all', async () => {
    await using site = await openSite(kind);
    const { db } = site.desk.test.world;
    await db.execute(sql`alter table audit_log rename to gone`);
    expect(await site.place()).toMatchObject({ status: 500 });
    expect(await db.$count(batches)).toBe(0);
  });
});

describe.each(testDatabases)('a simulation of an order on %s', (kind) => {
  it('says that the price has moved from the one that is shown, as placing does', async () => {
    await using site = await openSite(kind);
    expect(await site.simulatedErrors()).toEqual([]);
    await site.desk.test.world.db.update(opportunities).set({ currentPrice: priceFromText('0.4') });
    const moved = 'The price moved 12.50 % from 0.4000 to 0.4500, at most 5.00 % is allowed.';
    expect(await site.simulatedErrors()).toEqual([moved]);
    expect(await site.place()).toMatchObject({ status: 409, json: { detail: moved } });
  });
});

describe.each(testDatabases)('an order whose books lose their trust while it is judged, on %s', (kind) => {
  it('is refused', async () => {
    await using site = await openSite(kind);
    await vi.waitFor(async () => {
      await site.desk.test.time.advance(1000);
      expect(site.desk.published.length).toBeGreaterThan(0);
    });
    site.onAccountAsked(async () => {
      await site.desk.test.time.advance(1);
      site.desk.venue.trust('rain:yes', 'stale');
    });
    expect(await site.place()).toMatchObject({ status: 409, json: { detail: expect.stringMatching(/book/) } });
    expect(await site.desk.test.world.db.$count(batches)).toBe(0);
  });
});

describe.each(testDatabases)('an order whose database goes away once it is recorded, on %s', (kind) => {
  it('is not answered as one to ask for again, and one with a key is answered with what was done', async () => {
    await using site = await openSite(kind);
    const { db } = site.desk.test.world;
    const gone = () => {
      throw new DatabaseDown('gone');
    };
    site.onRecorded(() => void vi.spyOn(db, 'select').mockImplementation(gone));
    const unread = await site.place();
    expect(unread).toMatchObject({ status: 500, json: { detail: expect.stringMatching(/see what was done before/) } });
    vi.restoreAllMocks();
    expect(await db.$count(batches)).toBe(1);

    await db.update(batches).set({ status: 'failed' });
    await site.desk.test.time.advance(1);
    expect(await site.place('', 'once')).toMatchObject({ status: 503 });
    vi.restoreAllMocks();
    expect(await site.place('', 'once')).toMatchObject({ status: 200, json: { status: 'pending' } });
    expect(await db.$count(batches)).toBe(2);
  });
});
