/** The calls that act on batches, over recorded batches and a fake clock, for tests. */

import { setTimeout } from 'node:timers/promises';
import { API_PREFIX } from '@dutchbook/contract/endpoint.ts';
import { asc } from 'drizzle-orm';
import type { Quotes } from '../../market/markets/live-quotes.ts';
import { auditLog } from '../../platform/audit/table.ts';
import { openTestApp, type TestApp } from '../../platform/http/app.fixture.ts';
import type { Placing } from '../orders/intents.ts';
import { registerOrders } from '../orders/routes.ts';
import { type ScriptedControls, scriptedControls } from '../trading-controls/controls.fixture.ts';
import { oneDesk } from '../venue-desk/desks.fixture.ts';
import { registerBatchActions } from './action-routes.ts';
import { registerBatches } from './routes.ts';

export type Answer = { status: number; body: Record<string, unknown> & { detail?: unknown } };

export type Caller = {
  /** Calls below the prefix, and lets time pass until it is answered. */
  call: (method: 'GET' | 'POST', path: string, given?: { key?: string; body?: unknown }) => Promise<Answer>;
  /** Action and object of every entry of the audit log. */
  actions: () => Promise<[action: string, object: string | null][]>;
};

/** A user who is signed in. */
export async function caller(site: TestApp): Promise<Caller> {
  const { headers } = await site.signedIn({ email: 'operator@example.com' });
  return {
    call: async (method, path, { key, body } = {}) => {
      const reply = site.http.inject({
        method,
        url: `${API_PREFIX}${path}`,
        headers: {
          ...headers,
          ...(key !== undefined && { 'idempotency-key': key }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { payload: JSON.stringify(body) }),
      });
      const { statusCode, json } = await answered(site, reply);
      return { status: statusCode, body: json() };
    },
    actions: async () => {
      const entries = await site.test.runtime.db.select().from(auditLog).orderBy(asc(auditLog.seq));
      return entries.map(({ action, object }) => [action, object]);
    },
  };
}

/** What is carried out is so at once; beyond that a call is waiting for what does not come. */
const SHORT_ROUNDS = 10;
const WORKED_ON_MS = 25;

async function answered<Reply>({ test }: TestApp, reply: Promise<Reply>): Promise<Reply> {
  let isAnswered = false;
  const noted = reply.finally(() => {
    isAnswered = true;
  });
  for (let round = 0; !isAnswered; round += 1) {
    // A call that is being worked on is no call that waits: time that runs ahead of it would refuse it.
    await Promise.race([noted, setTimeout(WORKED_ON_MS)]);
    if (!isAnswered) await test.time.advance(round < SHORT_ROUNDS ? 50 : 2000);
  }
  return await noted;
}

export type Loop = { placing: Pick<Placing, 'wake'>; quotes: Pick<Quotes, 'current'>; controls: ScriptedControls };

/** The calls that read batches, and those that retry, cancel and look at them. */
export function registerActions(site: TestApp, loop: Loop): void {
  const { runtime } = site.test;
  registerBatches(site.app, { runtime, ...loop });
  registerBatchActions(site.app, { runtime, ...loop, desks: oneDesk({ controls: loop.controls }) });
  registerOrders(site.app, { runtime, ...loop });
}

export type ActionSite = TestApp &
  Caller & {
    controls: ScriptedControls;
    /** What the loop was called to, in order. */
    woken: string[];
    /** Stands in for the loop: what it would do to a batch when it is called. */
    onWake: (work: (batchId: string) => PromiseLike<unknown>) => void;
  };

export async function openActionSite(): Promise<ActionSite> {
  const site = await openTestApp({ variables: { VENUE: 'simulated' } });
  const woken: string[] = [];
  let work: (batchId: string) => PromiseLike<unknown> = async () => {};
  const wake = (batchId: string) => {
    woken.push(batchId);
    void (async () => await work(batchId))();
  };
  const controls = scriptedControls();
  registerActions(site, { placing: { wake }, quotes: { current: () => [] }, controls });
  return {
    ...site,
    ...(await caller(site)),
    controls,
    woken,
    onWake: (next) => {
      work = next;
    },
  };
}
