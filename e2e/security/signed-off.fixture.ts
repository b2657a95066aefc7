/** A desk of an operator and two superusers, where batches above some dollars are signed off: in the whole product, with a scripted venue and test time. */
import { API_PREFIX } from '@dutchbook/contract/endpoint.ts';
import { auditLog } from '@dutchbook/server/platform/audit/table.ts';
import { batches } from '@dutchbook/server/trading/orders/table.ts';
import { asc, eq, sql } from 'drizzle-orm';
import { expect } from 'vitest';
import { openScene, type Person, type Scene } from './scene.fixture.ts';
import { openWholeProduct, type WholeProduct } from './whole-product.fixture.ts';

type Answer = { status: number; body: Record<string, unknown> };

export type Desk = AsyncDisposable & {
  product: WholeProduct;
  scene: Scene;
  /** An operator, and two superusers. */
  olga: Person;
  ada: Person;
  ben: Person;
  call: (
    by: Person,
    method: 'GET' | 'POST' | 'PUT',
    path: string,
    payload?: object,
    headers?: Record<string, string>,
  ) => Promise<Answer>;
  place: (by: Person, opportunityId: string, query?: string) => Promise<Answer>;
  approve: (by: Person, id: string) => Promise<Answer>;
  batchesOf: (opportunityId: string) => Promise<(typeof batches.$inferSelect)[]>;
};

/** Armed; batches above so many dollars are signed off. The smallest order of an opportunity takes $4.50. */
export async function openDesk(above: number): Promise<Desk> {
  const product = await openWholeProduct();
  const scene = await openScene(product);
  const { user: olga, superuser: ada } = scene.people;
  const { superuser: ben } = (await openScene(product)).people;
  const call: Desk['call'] = async (by, method, path, payload, headers) => {
    const url = `${API_PREFIX}${path}`;
    const given = { ...by.headers, ...headers };
    const reply = await product.inject({ method, url, headers: given, ...(payload && { payload }) });
    return { status: reply.statusCode, body: reply.json() };
  };
  await scene.arm();
  const set = await call(ada, 'PUT', '/system-settings/security', { sign_off_above_usd: above });
  expect(set).toMatchObject({ status: 200, body: { sign_off_above_usd: above } });
  return {
    ...{ product, scene, olga, ada, ben, call },
    place: (by, opportunityId, query = '') => call(by, 'POST', `/arbitrage/place-order/${opportunityId}${query}`),
    approve: (by, id) => call(by, 'POST', `/sign-offs/${id}/approve`),
    batchesOf: (opportunityId) =>
      product.runtime.db.select().from(batches).where(eq(batches.opportunityId, opportunityId)),
    [Symbol.asyncDispose]: () => product[Symbol.asyncDispose](),
  };
}

/** The id of the sign-off that an answer says was asked for. */
export function askedIn({ status, body }: Answer): string {
  expect([status, body]).toMatchObject([409, { sign_off_id: expect.any(String) }]);
  return String(body.sign_off_id);
}

/** The audited actions on an object, each with who did it. */
export const actionsOn = async ({ product }: Desk, object: string) => {
  const { action, actor } = auditLog;
  const entries = product.runtime.db.select({ action, actor }).from(auditLog).where(eq(auditLog.object, object));
  return (await entries.orderBy(asc(auditLog.seq))).map((entry) => `${entry.action} ${entry.actor}`);
};

/** Changes of a batch that is older than what one person asks for counts together. */
export const anHourAgo = { createdAt: sql`${batches.createdAt} - interval '1 hour'` };

/** What the venue asks and bids for Yes of a market from now on. */
export function quote({ product }: Desk, market: string | undefined, ask: string, bid: string): void {
  product.markets.setBooks({ [`${market}:yes`]: { asks: [[ask, '1000']], bids: [[bid, '1000']] } });
}
