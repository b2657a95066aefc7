// Do 500 live clients at five changes a second each see every change, once and in order, and how old is it? One more
// stops reading: it falls back to a snapshot, and memory does not grow for it. Budget: nothing lost or out of order, p99
// 150 ms from publishing to the client, 20 MB for the slow one.
//
//     node_modules/.bin/node --expose-gc bench/live-tabs.ts [seconds]
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { openSessions } from '@dutchbook/server/login/sessions.ts';
import { openRuntime } from '@dutchbook/server/open-runtime.ts';
import { presentRow } from '@dutchbook/server/opportunities/present.ts';
import { storedOpportunities } from '@dutchbook/server/opportunities/store.ts';
import { openHub } from '@dutchbook/server/stream/hub.ts';
import { serveStream } from '@dutchbook/server/stream/websocket.ts';
import { users } from '@dutchbook/server/users/table.ts';
import { openDatabase } from './databases.ts';
import { EMPTY, fill } from './filled.ts';
import { quantile, say, tell } from './rows.ts';
import type { TabsPlan, TabsReport } from './tabs/tabs-thread.ts';

const SECONDS = Number(process.argv[2] ?? 4);
const TABS = 500;
/** Just longer than the stream's own interval, so that it leaves none out. */
const EVERY_MS = 205;
const P99_MS_MAX = 150;
const SLOW_MB_MAX = 20;
const SLOW_MESSAGES = 400;
const SLOW_MESSAGE_BYTES = 20_000;

await using database = await openDatabase();
const rows = { ...EMPTY, opportunities: 1 };
const { config } = await fill(database.variables, rows);
const { runtime, close } = await openRuntime(config);
const [user] = await runtime.db.select().from(users);
const [row] = await storedOpportunities(runtime.db).limit(1);
if (user === undefined || row === undefined) throw new Error('the database was not filled');
const sessions = openSessions(runtime);
const hub = openHub(runtime);
const server = createServer();
const stopServing = serveStream(server, runtime, sessions, hub);
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address() as { port: number };
const plan: TabsPlan = { url: `ws://127.0.0.1:${port}/api/v1/stream`, token: await sessions.issue(user), tabs: TABS };
const tabs = new Worker(new URL('./tabs/tabs-thread.ts', import.meta.url), { workerData: plan });
await once(tabs, 'message');

await measureAll(presentRow(row));
await measureSlow();
await tabs.terminate();
stopServing();
hub.stop();
server.closeAllConnections();
server.close();
await close();
// What the tabs listened to is kept for a minute after they have left, which would hold the process.
process.exit();

async function measureAll(shown: ReturnType<typeof presentRow>): Promise<void> {
  const before = process.threadCpuUsage();
  let published = 0;
  for (const until = performance.now() + SECONDS * 1000; performance.now() < until; await pause(EVERY_MS)) {
    published += 1;
    const data = { ...shown, source_details: `${published} ${process.hrtime.bigint()}` };
    hub.publish({ topic: 'opportunities', type: 'opportunity', id: shown.id, data });
  }
  const { user: userUs, system } = process.threadCpuUsage(before);
  await pause(1000);
  const { perTab, outOfOrder, tookMs } = await report('report');
  const lost = perTab.reduce((sum, seen) => sum + (published - seen), 0);
  const question = `${TABS} live clients, ${(published / SECONDS).toFixed(1)} changes/s each`;
  say(`${question}: ${published} published; ${((userUs + system) / (SECONDS * 10_000)).toFixed(1)} % of a core`);
  const name = `${TABS} live clients, 5 changes/s each`;
  tell({ question: `${name}: lost`, figure: lost, unit: '', budget: { atMost: 0 }, floor: null });
  tell({ question: `${name}: out of order`, figure: outOfOrder, unit: '', budget: { atMost: 0 }, floor: null });
  const p99 = quantile(tookMs, 0.99);
  const floor = { figure: quantile(tookMs, 0.01), of: 'the first clients to be told' };
  tell({
    question: `${name}: published to received, p99`,
    figure: p99,
    unit: 'ms',
    budget: { atMost: P99_MS_MAX },
    floor,
  });
}

/** Eight megabytes for one that does not read. */
async function measureSlow(): Promise<void> {
  const kind = 'check_all' as const;
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  let peak = before;
  for (let nth = 0; nth < SLOW_MESSAGES; nth += 1) {
    const id = `00000000-0000-4000-8000-${String(nth).padStart(12, '0')}`;
    const message = String(nth).padEnd(SLOW_MESSAGE_BYTES);
    const times = { started_at: runtime.clock.now(), finished_at: null };
    hub.publish({
      topic: 'jobs',
      type: 'job',
      id,
      data: { id, kind, status: 'failed', done: nth, total: 0, message, ...times },
    });
    await pause(1);
    peak = Math.max(peak, process.memoryUsage.rss());
  }
  const { slowResyncs } = await report('resume');
  const budget = { atMost: SLOW_MB_MAX };
  tell({
    question: 'slow reader: more memory at most',
    figure: (peak - before) / 1e6,
    unit: 'MB',
    budget,
    floor: null,
  });
  tell({
    question: 'slow reader: told to read everything again',
    figure: slowResyncs,
    unit: 'times',
    budget: { atLeast: 1 },
    floor: null,
  });
}

async function report(wish: 'report' | 'resume'): Promise<TabsReport> {
  tabs.postMessage(wish);
  const [answer] = await once(tabs, 'message');
  return answer as TabsReport;
}
