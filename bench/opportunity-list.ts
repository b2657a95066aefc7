// How fast a page of 10 out of 100,000 opportunities is answered, sorted by profit; by the whole product, on both
// databases. Budget: 1,500 answers per second, p99 below 25 ms.
//
//     node_modules/.bin/node bench/opportunity-list.ts [rows]
import { createServer } from 'node:http';
import { start } from '@dutchbook/server/start.ts';
import { type DatabaseKind, databaseKinds, openDatabase } from './databases.ts';
import { fill } from './filled.ts';
import { type Load, load } from './http-load.ts';
import { say, tell } from './rows.ts';

const ROWS = Number(process.argv[2] ?? 100_000);
const CONNECTIONS = 16;
const PER_SECOND_MIN = 1500;
const P99_MS_MAX = 25;
const WARM_UP_MS = 1000;
const MEASURE_MS = 3000;
const PAGES = [
  ['by profit', 'sort_by=profit_percentage&sort_order=desc'],
  ['by profit, active ones', 'sort_by=profit_percentage&sort_order=desc&active=true'],
  ['by source', 'sort_by=source&sort_order=desc'],
] as const;

for (const kind of databaseKinds) await measure(kind);

async function measure(kind: DatabaseKind): Promise<void> {
  await using database = await openDatabase(kind);
  const rows = { opportunities: ROWS, batches: 0, notifications: 0, auditEntries: 0, items: 0 };
  const { config, authorization } = await fill(database.variables, rows);
  const { url, stop } = await start(config, () => {});
  for (const [name, query] of PAGES) {
    const page = `${url}/api/v1/arbitrage/opportunities?limit=10&${query}`;
    const floor = await plainServerLoad(page, authorization);
    const before = process.cpuUsage();
    const found = await loadOf(page, authorization);
    const { user, system } = process.cpuUsage(before);
    const question = `page of 10 of ${ROWS.toLocaleString('en')} opportunities ${name}, ${kind}`;
    tell({
      question: `${question}: answers`,
      figure: found.perSecond,
      unit: '/s',
      budget: { atLeast: PER_SECOND_MIN },
      floor: { figure: floor.perSecond, of: 'the same bytes from a server that does nothing' },
    });
    tell({
      question: `${question}: p99`,
      figure: found.p99Ms,
      unit: 'ms',
      budget: { atMost: P99_MS_MAX },
      floor: null,
    });
    const calls = found.perSecond * ((WARM_UP_MS + MEASURE_MS) / 1000);
    say(
      `  processor time of this process a call: ${((user + system) / calls / 1000).toFixed(2)} ms, the asking included`,
    );
  }
  await stop();
}

function loadOf(url: string, authorization: string): Promise<Load> {
  return load({ url, authorization, connections: CONNECTIONS, warmUpMs: WARM_UP_MS, measureMs: MEASURE_MS });
}

async function plainServerLoad(page: string, authorization: string): Promise<Load> {
  const answer = Buffer.from(await (await fetch(page, { headers: { authorization } })).arrayBuffer());
  const server = createServer((_, reply) => reply.setHeader('content-type', 'application/json').end(answer));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const found = await load({
    url: `http://127.0.0.1:${port}/`,
    authorization,
    connections: CONNECTIONS,
    warmUpMs: 500,
    measureMs: 1000,
  });
  server.closeAllConnections();
  server.close();
  return found;
}
