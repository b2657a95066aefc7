/** Who hangs up has asked all the same: what was taken up is done once, and recorded with the address of its caller. */

import { users } from '@dutchbook/server/people/users/table.ts';
import { auditLog } from '@dutchbook/server/platform/audit/table.ts';
import { batches, batchOrders } from '@dutchbook/server/trading/orders/table.ts';
import { tradingControls } from '@dutchbook/server/trading/trading-controls/table.ts';
import { SHARES_ZERO } from '@dutchbook/units/shares.ts';
import { and, eq, isNotNull, type SQL } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chosenNow } from '../product/by-commit.ts';
import { type HangUp, type HastyCall, type HungUpProduct, openHungUpProduct } from './hang-up.fixture.ts';
import { openScene, PASSWORD, type Scene } from './scene.fixture.ts';

/** When two callers of the same hang up. Some calls never get as far as to be taken up; of the last both do. */
const HANG_UPS: readonly (readonly [HangUp, HangUp])[] = [
  [0, 20],
  [4, 16],
  [8, 12],
  [12, 8],
  [16, 4],
  [20, 0],
  ['taken_up', 'taken_up'],
];

let product: HungUpProduct;
let scene: Scene;

beforeAll(async () => {
  product = await openHungUpProduct();
  scene = await openScene(product);
});
afterAll(() => product[Symbol.asyncDispose]());

type Done = { table: PgTable; where: SQL | undefined; rows: number };
/** `done`: the rows that say that it is, when it was done once. */
type Asked = { call: HastyCall; object: string | null; done?: Done };

const JSON_BODY = { 'Content-Type': 'application/json' };
const FORM_BODY = { 'Content-Type': 'application/x-www-form-urlencoded' };

const superuser = () => ({ Authorization: scene.people.superuser.headers.authorization });

/** Of an order that rests, so that it still stands when the second caller is judged. */
async function placing(key?: string): Promise<Asked> {
  product.orders.onPost((order) => product.orders.take(order, SHARES_ZERO));
  const id = await scene.opportunity();
  const headers = { ...superuser(), ...(key !== undefined && { 'Idempotency-Key': `${key} ${id}` }) };
  return {
    call: { method: 'POST', path: `/arbitrage/place-order/${id}`, headers },
    object: null,
    done: { table: batches, where: eq(batches.opportunityId, id), rows: 1 },
  };
}

async function onBatch(became: 'filled' | 'refused' | 'open', path: string, where: SQL | undefined): Promise<Asked> {
  const { id } = await scene.batch(became);
  return {
    call: { method: 'POST', path: `/arbitrage/${path.replace('ID', id)}`, headers: superuser() },
    object: id,
    done: { table: batches, where: and(eq(batches.id, id), where), rows: 1 },
  };
}

async function selling(): Promise<Asked> {
  const { id } = await scene.batch('filled');
  const where = and(eq(batchOrders.batchId, id), eq(batchOrders.side, 'sell'));
  return {
    call: { method: 'POST', path: `/arbitrage/batch/${id}/sell-all?simulate=false`, headers: superuser() },
    object: id,
    done: { table: batchOrders, where, rows: 2 },
  };
}

async function sellingOne(): Promise<Asked> {
  const { orderId } = await scene.batch('filled');
  return {
    call: { method: 'POST', path: `/arbitrage/sell-order/${orderId}`, headers: superuser() },
    object: orderId,
    done: { table: batchOrders, where: eq(batchOrders.sellsOrderId, orderId), rows: 1 },
  };
}

/** Asked for twice at the same time, all of these are done once. */
const ONCE: readonly (readonly [action: string, ask: () => Promise<Asked>])[] = [
  ['order.placed', () => placing()],
  ['order.placed', () => placing('under one key')],
  ['batch.retried', () => onBatch('refused', 'batches/ID/retry', eq(batches.retryCount, 1))],
  ['batch.canceled', () => onBatch('open', 'batches/ID/cancel', isNotNull(batches.cancelRequestedAt))],
  ['batch.sold', selling],
  ['order.sold', sellingOne],
  [
    'user.signed_up',
    async () => {
      const email = `${crypto.randomUUID()}@example.com`;
      const body = JSON.stringify({ email, full_name: 'New Comer', password: PASSWORD });
      return {
        call: { method: 'POST', path: '/users/signup', headers: JSON_BODY, body },
        object: email,
        done: { table: users, where: eq(users.email, email), rows: 1 },
      };
    },
  ],
  [
    'password.reset',
    async () => {
      const body = JSON.stringify({ token: await scene.resetToken(), new_password: 'another long password' });
      return { call: { method: 'POST', path: '/reset-password/', headers: JSON_BODY, body }, object: null };
    },
  ],
];

/** Each call is done. */
const EVERY: readonly (readonly [action: string, ask: (round: number) => HastyCall])[] = [
  ['password.recovery_requested', () => ({ method: 'POST', path: `/password-recovery/${scene.people.user.email}` })],
  [
    'session.opened',
    () => ({
      method: 'POST',
      path: '/login/access-token',
      headers: FORM_BODY,
      body: new URLSearchParams({ username: scene.people.other.email, password: PASSWORD }).toString(),
    }),
  ],
  [
    'limits.changed',
    (round) => ({
      method: 'PUT',
      path: '/system-settings/limits',
      headers: { ...superuser(), ...JSON_BODY },
      body: JSON.stringify({ per_order_usd: 1_000 + round }),
    }),
  ],
  [
    'settings.changed',
    (round) => ({
      method: 'PUT',
      path: '/system-settings/',
      headers: { ...superuser(), ...JSON_BODY },
      body: JSON.stringify({ BATCH_COMPLETION_TIMEOUT_HOURS: 13 + round }),
    }),
  ],
];

/** A change asks some of the calls by its hash. */
const [ONCE_PER_CHANGE, EVERY_PER_CHANGE] = [3, 2];

describe('a caller who hangs up', () => {
  it.each(chosenNow(ONCE, ONCE_PER_CHANGE, ([action]) => action))(
    'has what was taken up done once: %s',
    async (action, ask) => {
      for (const hangUps of HANG_UPS) {
        const { call, object, done } = await ask();
        const before = await lastEntry();
        const isTaken = (await Promise.all(hangUps.map((when) => product.callAndHangUp(call, when)))).includes(true);
        await product.untilIdle();
        const entries = await entriesAfter(before, action);
        const once = isTaken ? [{ object: object ?? expect.any(String), address: '127.0.0.1' }] : [];
        expect({ hangUps, entries }).toMatchObject({ hangUps, entries: once });
        if (done) expect(await product.runtime.db.$count(done.table, done.where)).toBe(isTaken ? done.rows : 0);
      }
    },
  );

  it.each(chosenNow(EVERY, EVERY_PER_CHANGE, ([action]) => action))(
    'has every call that was taken up done: %s',
    async (action, ask) => {
      const before = await lastEntry();
      let taken = 0;
      for (const [round, when] of HANG_UPS.flat().entries())
        if (await product.callAndHangUp(ask(round), when)) taken += 1;
      const entries = await entriesAfter(before, action);
      expect(entries.map(({ address }) => address)).toEqual(Array(taken).fill('127.0.0.1'));
    },
  );

  it('has stored what the process says of the kill switch', async () => {
    const armed = { method: 'POST', path: '/system/arm', body: JSON.stringify({ confirmation: 'ARM' }) } as const;
    const calls = [
      { ...armed, headers: { ...superuser(), ...JSON_BODY } },
      { method: 'POST', path: '/system/disarm', headers: superuser() },
    ] as const;
    let isArmed = true;
    for (const when of HANG_UPS.flat()) {
      for (const call of calls) {
        const before = await lastEntry();
        const wanted = call.path === '/system/arm';
        const changes = (await product.callAndHangUp(call, when)) && wanted !== isArmed;
        if (changes) isArmed = wanted;
        const status = await product.inject({ url: '/api/v1/system/status', headers: superuser() });
        const [stored] = await product.runtime.db.select().from(tradingControls);
        expect({ when, armed: status.json().armed, stored: stored?.armed ?? true }).toEqual({
          when,
          armed: isArmed,
          stored: isArmed,
        });
        const entries = await entriesAfter(before, wanted ? 'trading.armed' : 'trading.disarmed');
        expect(entries.map(({ address }) => address)).toEqual(changes ? ['127.0.0.1'] : []);
      }
    }
    await scene.arm();
  });
});

async function lastEntry(): Promise<number> {
  return await product.runtime.db.$count(auditLog);
}

async function entriesAfter(seq: number, action: string): Promise<{ object: string | null; address: string }[]> {
  const all = await product.runtime.db.select().from(auditLog).orderBy(auditLog.seq);
  return all.filter((entry) => entry.seq > seq && entry.action === action);
}
