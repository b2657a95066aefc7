/** Who calls the whole product, and things that calls can be about, made when they are asked for. */

import { randomUUID } from 'node:crypto';
import { linesOfArrival } from '@dutchbook/engine/ledger/entries-from-outside.ts';
import { eventOf } from '@dutchbook/engine/relation/catalogue-event.fixture.ts';
import { result } from '@dutchbook/server/books/report/result.fixture.ts';
import { batchResults } from '@dutchbook/server/books/report/table.ts';
import { catalogueEvents, catalogueMarkets } from '@dutchbook/server/market/discovery/table.ts';
import { addAlert } from '@dutchbook/server/market/opportunities/alerts/store.ts';
import { relationPrices, relations } from '@dutchbook/server/market/relations/table.ts';
import { rehearsals } from '@dutchbook/server/memory/rehearsals/table.ts';
import { insertApiToken } from '@dutchbook/server/people/api-tokens/store.ts';
import { items } from '@dutchbook/server/people/items/table.ts';
import { makeResetToken } from '@dutchbook/server/people/login/reset-tokens.ts';
import { openSession } from '@dutchbook/server/people/login/session-store.ts';
import { recordNotification } from '@dutchbook/server/people/notifications/record.ts';
import { notifications } from '@dutchbook/server/people/notifications/table.ts';
import { signOffs } from '@dutchbook/server/people/sign-offs/table.ts';
import { users } from '@dutchbook/server/people/users/table.ts';
import { cashMoves } from '@dutchbook/server/trading/cash-moves/table.ts';
import { feeStops } from '@dutchbook/server/trading/fee-stops/table.ts';
import { ledgerEntries } from '@dutchbook/server/trading/ledger/table.ts';
import { fills } from '@dutchbook/server/trading/orders/table.ts';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { percentFromNumber } from '@dutchbook/units/percent.ts';
import { SHARES_ZERO, sharesFromText } from '@dutchbook/units/shares.ts';
import { USD_ZERO, usdFromNumber } from '@dutchbook/units/usd.ts';
import { eq } from 'drizzle-orm';
import { cheapHash, type WholeProduct } from './whole-product.fixture.ts';

export const PASSWORD = 'correct horse battery';

/** Of a contract of the scripted chain that may move nothing. */
export const MISSING_APPROVAL = { contract: `0x${'2'.repeat(40)}`, holder: `0x${'d'.repeat(40)}`, is_allowed: true };

export type Person = { id: string; email: string; headers: { authorization: string } };

/** The user whose things they are, another user, a deactivated one, a superuser, and a viewer. */
export type People = Record<'user' | 'other' | 'inactive' | 'superuser' | 'viewer', Person>;

export type Scene = {
  people: People;
  /** Another account, which makes no call. */
  account: () => Promise<Person>;
  /** The user's. */
  item: () => Promise<string>;
  opportunity: () => Promise<string>;
  /** With the fingerprint `as read`. */
  relation: () => Promise<string>;
  /** Two of an event that discovery has read. */
  openMarkets: () => Promise<string[]>;
  notification: (status?: 'pending' | 'failed') => Promise<string>;
  /** One whose every order was filled, or refused, or stands at the venue. */
  /** `half`: bought of its first position, and canceled of the others. */
  batch: (became: Became) => Promise<{ id: string; orderId: string }>;
  /** A filled one that all scenes share: for calls that change nothing. */
  filledBatch: () => Promise<{ id: string; orderId: string }>;
  /** A batch whose result is kept. */
  reportedBatch: () => Promise<string>;
  /** A submission to the chain. */
  submission: () => Promise<string>;
  rehearsal: (state: 'done' | 'queued') => Promise<string>;
  /** What the user has asked a second person for. */
  signOff: () => Promise<string>;
  /** A category of fees that is stopped. */
  feeStop: () => Promise<string>;
  cashMove: () => Promise<string>;
  /** The entry by which they came. */
  unknownDollars: () => Promise<number>;
  /** So that another may wait. */
  endRehearsals: () => Promise<void>;
  /** One more of the user. */
  session: () => Promise<string>;
  /** The user's, of the scope trade. */
  apiToken: () => Promise<{ id: string; token: string }>;
  /** An alert of the user. */
  alert: () => Promise<string>;
  resetToken: () => Promise<string>;
  /** Deletes what `path` and an id name. */
  remove: (path: string, id: string, by: 'user' | 'superuser') => Promise<void>;
  /** Lets orders leave from now on. */
  arm: () => Promise<void>;
  /** `[{leg, markets}]` over markets that no opportunity has. */
  combinations: () => { leg: number; markets: { id: string; outcome: string }[] }[];
};

const filledBatches = new WeakMap<WholeProduct, Promise<{ id: string; orderId: string }>>();

/** A scene with new people, who know nothing of those of another scene. */
export async function openScene(product: WholeProduct): Promise<Scene> {
  const { runtime } = product;
  const people: People = {
    user: await person(product),
    other: await person(product),
    inactive: await person(product, { isActive: false }),
    superuser: await person(product, { isSuperuser: true }),
    viewer: await person(product, { isViewer: true }),
  };
  const scene: Scene = {
    people,
    account: () => person(product),
    item: async () => {
      const id = runtime.random.uuid();
      await runtime.db
        .insert(items)
        .values({ id, title: 'A thing', description: null, ownerId: people.user.id, createdAt: runtime.clock.now() });
      return id;
    },
    opportunity: () =>
      made(product, people.superuser, '/arbitrage/opportunities', { market_combinations: scene.combinations() }),
    relation: () => relationIn(runtime),
    openMarkets: () => openMarketsIn(runtime),
    notification: async (status = 'pending') => {
      const notification = { type: 'test', opportunityId: null, message: 'Told', data: {} } as const;
      const { id } = await runtime.db.transaction((tx) => recordNotification(tx, runtime, notification));
      await runtime.db.update(notifications).set({ status }).where(eq(notifications.id, id));
      return id;
    },
    batch: (became) => placedBatch(product, scene, became),
    arm: () => arm(product, scene),
    filledBatch: () => {
      const batch = filledBatches.get(product) ?? placedBatch(product, scene, 'filled');
      filledBatches.set(product, batch);
      return batch;
    },
    reportedBatch: async () => {
      const id = runtime.random.uuid();
      await runtime.db.insert(batchResults).values(result(id, runtime.clock.now()));
      return id;
    },
    submission: async () => {
      await arm(product, scene);
      return await made(product, people.superuser, '/approvals', MISSING_APPROVAL);
    },
    endRehearsals: async () => {
      await runtime.db.update(rehearsals).set({ state: 'done' });
    },
    ...storedAlone(runtime, people),
    session: async () => {
      const [user] = await runtime.db.select().from(users).where(eq(users.id, people.user.id));
      if (!user) throw new Error('the user of the scene is gone');
      const id = runtime.random.uuid();
      const from = { address: '127.0.0.1', device: 'Phone' };
      await openSession(runtime.db, { id, user, now: runtime.clock.now(), from });
      return id;
    },
    apiToken: async () => {
      const [user] = await runtime.db.select().from(users).where(eq(users.id, people.user.id));
      const given = { name: 'Nightly', scope: 'trade', expires_in_days: 30 } as const;
      const made = user && (await runtime.db.transaction((tx) => insertApiToken(tx, runtime, user, given)));
      if (!made) throw new Error('the API token was not made');
      return { id: made.row.id, token: made.token };
    },
    alert: async () => {
      const asked = { userId: people.user.id, opportunityId: await scene.opportunity(), byMail: false };
      const atPercentage = percentFromNumber(1.5);
      return (await runtime.db.transaction((tx) => addAlert(tx, runtime, { ...asked, atPercentage }))).id;
    },
    resetToken: () => runtime.db.transaction((tx) => makeResetToken(tx, runtime, people.user.id)),
    remove: async (path, id, by) => {
      // Another call may have ended the session that they came with.
      const [row] = await runtime.db.select().from(users).where(eq(users.id, people[by].id));
      if (!row) throw new Error(`the ${by} of the scene is gone`);
      const headers = { authorization: `Bearer ${await product.sessions.issue(row)}` };
      const reply = await product.inject({ method: 'DELETE', url: `/api/v1${path}/${id}`, headers });
      if (reply.statusCode !== 200) throw new Error(`${path}/${id}: ${reply.statusCode} ${reply.body}`);
    },
    combinations: () => {
      const market = `market-${randomUUID()}`;
      listMarket(product, market);
      return [
        { leg: 1, markets: [{ id: market, outcome: 'Yes' }] },
        { leg: 2, markets: [{ id: market, outcome: 'No' }] },
      ];
    },
  };
  return scene;
}

/** Rows of which no other of the scene is needed. */
function storedAlone(
  runtime: WholeProduct['runtime'],
  people: People,
): Pick<Scene, 'rehearsal' | 'signOff' | 'feeStop' | 'cashMove' | 'unknownDollars'> {
  return {
    rehearsal: async (state) => {
      const id = runtime.random.uuid();
      const now = runtime.clock.now();
      await runtime.db.insert(rehearsals).values({
        ...{ id, venue: 'simulated', createdAt: now, state, from: now, until: now, changes: {}, assumePlacing: false },
        progress: 0,
      });
      return id;
    },
    signOff: async () => {
      const id = runtime.random.uuid();
      const now = runtime.clock.now();
      await runtime.db.insert(signOffs).values({
        ...{
          id,
          venue: 'simulated',
          kind: 'arm',
          call: { venue: 'polymarket' },
          summary: 'Arm trading',
          state: 'open',
          requestedAt: now,
        },
        ...{ requestedBy: people.user.id, requestedByEmail: people.user.email },
        expiresAt: instantFromMs(now + 3_600_000),
      });
      return id;
    },
    feeStop: async () => {
      const id = runtime.random.uuid();
      await runtime.db.insert(feeStops).values({
        ...{ id, category: id, cause: id, marketId: '0x1', marketName: 'Will it?', message: 'Another fee was taken.' },
        createdAt: runtime.clock.now(),
      });
      return id;
    },
    cashMove: async () => {
      const id = runtime.random.uuid();
      const createdAt = runtime.clock.now();
      await runtime.db.update(cashMoves).set({ endedAt: createdAt });
      await runtime.db.insert(cashMoves).values({
        ...{ id, venue: 'kalshi', fromPocket: '0', toPocket: '2', amount: usdFromNumber(40), status: 'unknown' },
        ...{ requestedBy: people.superuser.email, createdAt },
      });
      return id;
    },
    unknownDollars: async () => {
      const lines = linesOfArrival('unknown', 1_000_000, 'polymarket');
      const entry = { at: runtime.clock.now(), kind: 'unknown' as const, lines };
      const [row] = await runtime.db.insert(ledgerEntries).values(entry).returning();
      return row?.id ?? 0;
    },
  };
}

async function relationIn({ db, clock, random }: WholeProduct['runtime']): Promise<string> {
  const id = random.uuid();
  const now = clock.now();
  const snapshot = { events: {}, members: {} };
  await db.insert(relations).values({
    ...{ id, createdAt: now, updatedAt: now, key: `pair:${id}`, kind: 'pair', basis: 'enforced', state: 'proposed' },
    ...{ eventId: 'event-1', eventTitle: 'An event', title: 'Both outcomes', readFrom: [], isComplete: true },
    ...{
      members: [{ eventId: 'event-1', marketId: 'market-1', role: 'outcome' }],
      completeness: 'It has two outcomes',
    },
    ...{ isVoidSafe: true, fingerprint: 'as read', template: null, snapshot, trusted: snapshot },
  });
  await db.insert(relationPrices).values({ relationId: id, profit: USD_ZERO, size: SHARES_ZERO, quoted: 0, hits: 0 });
  return id;
}

async function openMarketsIn({ db, clock, random }: WholeProduct['runtime']): Promise<string[]> {
  const event = eventOf([random.uuid(), random.uuid()], { id: random.uuid() });
  const { id, slug, title } = event;
  // Read in a pass to come, so that none asks the venue for it.
  const read = { hash: '', pass: 2_000_000_000, readAt: clock.now() };
  await db
    .insert(catalogueEvents)
    .values({ id, slug, title, variable: null, closed: false, whyNot: null, event: event, ...read });
  const rows = event.members.map(({ marketId, question }) => ({ id: marketId, eventId: id, slug: '', question }));
  await db.insert(catalogueMarkets).values(rows);
  return rows.map((row) => row.id);
}

async function person(
  { runtime, sessions }: WholeProduct,
  fields: { isActive?: boolean; isSuperuser?: boolean; isViewer?: boolean } = {},
): Promise<Person> {
  const id = runtime.random.uuid();
  const row = { id, email: `${id}@example.com`, passwordHash: cheapHash(PASSWORD), createdAt: runtime.clock.now() };
  const [user] = await runtime.db
    .insert(users)
    .values({ ...row, isActive: true, isSuperuser: false, ...fields })
    .returning();
  if (!user) throw new Error('the user was not inserted');
  return { id, email: row.email, headers: { authorization: `Bearer ${await sessions.issue(user)}` } };
}

/** Both outcomes of it together cost ninety cents and pay a dollar. */
function listMarket({ markets }: WholeProduct, id: string): void {
  markets.list(id);
  const book = { asks: [['0.45', '1000']], bids: [['0.44', '1000']] } as const;
  markets.setBooks({ [`${id}:yes`]: book, [`${id}:no`]: book });
}

async function made(product: WholeProduct, by: Person, path: string, payload?: object): Promise<string> {
  const reply = await product.inject({
    method: 'POST',
    url: `/api/v1${path}`,
    headers: by.headers,
    ...(payload && { payload }),
  });
  if (reply.statusCode !== 200) throw new Error(`${path}: ${reply.statusCode} ${reply.body}`);
  return reply.json<{ id: string }>().id;
}

async function arm({ inject }: WholeProduct, { people }: Scene): Promise<void> {
  const { headers } = people.superuser;
  await inject({ method: 'POST', url: '/api/v1/system/arm', headers, payload: { confirmation: 'ARM' } });
}

type Became = 'filled' | 'refused' | 'open' | 'half';

async function placedBatch(product: WholeProduct, scene: Scene, became: Became) {
  let posted = 0;
  const { orders, inject } = product;
  orders.onPost((order) => {
    if (became === 'refused') return { kind: 'rejected', reason: 'not enough balance' };
    posted += 1;
    const isLeft = became === 'open' || (became === 'half' && posted > 1);
    const outcome = orders.take(order, isLeft ? sharesFromText('0') : undefined);
    const held = orders.orders.get(order.orderHash);
    if (held !== undefined && became === 'half' && isLeft) held.status = 'canceled';
    return outcome;
  });
  await arm(product, scene);
  const opportunityId = await scene.opportunity();
  const id = await made(product, scene.people.superuser, `/arbitrage/place-order/${opportunityId}`);
  await product.untilIdle();
  // Only what the venue has credited can be sold.
  await product.runtime.db.update(fills).set({ settlement: 'mined' }).where(eq(fills.batchId, id));
  orders.onPost((order) => orders.take(order));
  const listed = await inject({
    url: `/api/v1/arbitrage/batches/${id}/orders`,
    headers: scene.people.superuser.headers,
  });
  const [first] = listed.json<{ data: { id: string }[] }>().data;
  if (!first) throw new Error('the batch has no orders');
  return { id, orderId: first.id };
}
