/** The calls that act on batches, over recorded batches and a fake clock, for tests. */
import { API_PREFIX } from '@dutchbook/contract/endpoint.ts';
import { openTestApp, type TestApp } from '../http/app.fixture.ts';
import { registerOrders } from '../orders/routes.ts';
import { type ScriptedControls, scriptedControls } from '../trading-controls/controls.fixture.ts';
import type { TestDatabase } from '../world/test-world.ts';
import { registerBatchActions } from './action-routes.ts';
import { registerBatches } from './routes.ts';

type Answer = { status: number; body: Record<string, unknown> & { detail?: unknown } };

export type ActionSite = TestApp & {
  controls: ScriptedControls;
  /** What the loop was called to, in order. */
  woken: string[];
  /** Stands in for the loop: what it would do to a batch when it is called. */
  onWake: (work: (batchId: string) => PromiseLike<unknown>) => void;
  /** Calls below the prefix, and lets time pass until it is answered. */
  call: (method: 'GET' | 'POST', path: string, given?: { key?: string; body?: object }) => Promise<Answer>;
};

export async function openActionSite(kind: TestDatabase): Promise<ActionSite> {
  const site = await openTestApp(kind);
  const { world } = site.test;
  const woken: string[] = [];
  let work: (batchId: string) => PromiseLike<unknown> = async () => {};
  const wake = (batchId: string) => {
    woken.push(batchId);
    void (async () => await work(batchId))();
  };
  const controls = scriptedControls();
  const quotes = { current: () => [] };
  registerBatches(site.app, { world, quotes });
  registerBatchActions(site.app, { world, quotes, controls, placing: { wake } });
  registerOrders(site.app, { world, placing: { wake } });
  const { headers } = await site.signedIn({ email: 'operator@example.com' });
  return {
    ...site,
    controls,
    woken,
    onWake: (next) => {
      work = next;
    },
    call: async (method, path, { key, body } = {}) => {
      const reply = site.http.inject({
        method,
        url: `${API_PREFIX}${path}`,
        headers: { ...headers, ...(key !== undefined && { 'idempotency-key': key }) },
        ...(body !== undefined && { payload: body }),
      });
      const { statusCode, json } = await answered(site, reply);
      return { status: statusCode, body: json() };
    },
  };
}

async function answered<Reply>({ test }: TestApp, reply: Promise<Reply>): Promise<Reply> {
  let isAnswered = false;
  const noted = reply.finally(() => {
    isAnswered = true;
  });
  while (!isAnswered) {
    await test.idle();
    await test.time.advance(50);
  }
  return await noted;
}
