// The whole of a venue on one machine, read only, discovery on, beside a stand-in that lists so many markets, answers a page after
// 250 ms and books after 60 ms, and changes the books that are followed, from the beginning as a venue does: 10,000 markets unless the
// first argument says otherwise.
//
//     npm run bench -- whole-market
//     npm run bench -- whole-market-100000
import { setTimeout as pause } from 'node:timers/promises';
import { load, startLoad } from '../load.ts';
import { cpuMsOf, mainThreadMsOf, rssMbOf } from '../processes.ts';
import { connect, openDatabase, type Server, startServer, timed } from '../product.ts';
import { quantile, say, tell } from '../rows.ts';
import { madeCatalogue } from './made-catalogue.ts';
import { searchesOf } from './searches.ts';
import { openStandInVenue } from './stand-in.ts';

const LOOK_EVERY_MS = 200;
const GIVEN_UP_MS = 1_800_000;
const SEARCH_GIVEN_UP_MS = 60_000;
const CHANGES_PER_SECOND_MAX = 8000;
const SETTLE_MS = 8_000;
/** What is written now and then, and room that tables take in pieces, would be all that is seen of less than a minute. */
const MEASURE_MS = 60_000;
/** Rows are written again in the room of those that autovacuum, once a minute, has found dead: a shorter time shows that room alone. */
const GROWTH_MS = 240_000;
const CENSUS_MS = 5000;
/** A few looks at all that is followed. */
const IDLE_MS = 20_000;
const NEW_EVENTS = 25;
const KNOWN_WITHIN_S = 60;
const LAG_SAMPLED_EVERY_MS = 10;
const MS_PER_HOUR = 3_600_000;
const BYTES_PER_MB = 1_048_576;
const SEARCHES = 200;
const CALLED = [
  '/arbitrage/opportunities?limit=10',
  '/relations?limit=20',
  '/notifications/records?limit=10',
  '/markets?limit=10',
];

const markets = Number(process.argv[2] ?? 10_000);
const made = madeCatalogue(markets);
const ofAll = `${made.markets.toLocaleString('en')} markets`;
const changesPerSecond = Math.min(CHANGES_PER_SECOND_MAX, Math.round(markets / 7.5 / 100) * 100);

await using venue = await openStandInVenue(markets);
await using database = await openDatabase();
const variables = { ...database.variables, ...venue.variables, DISCOVERY: 'on' };
await using db = await connect(database);
const plainS = (await timed(readPlainly)) / 1000;
venue.command({ changesPerSecond });
const server = await startServer(variables);
try {
  const firstSearch = searchOnce(server);
  const first = await measureCoverage(server);
  tell({ question: `${ofAll}: first search after the first start`, figure: await firstSearch, ...withinMs(200) });
  await venue.untilFollowed();
  await measureLaterPass(server, first);
  await measureMoving(server);
  await measureNewMarkets();
  const { followed, sent } = await venue.counts();
  say(`  ${followed} books followed, ${sent} changes`);
} finally {
  await server.kill();
}
const again = await startServer(variables);
tell({ question: `${ofAll}: first search after a start`, figure: await searchOnce(again), ...withinMs(200) });
await again.kill();

/** Reads all pages of events one after the other, and nothing else. */
async function readPlainly(): Promise<void> {
  let cursor: string | undefined = '';
  while (cursor !== undefined) {
    const after: string = cursor === '' ? '' : `&after_cursor=${cursor}`;
    const answer = await fetch(`${venue.url}/gamma/events/keyset?closed=false&limit=100${after}`);
    cursor = ((await answer.json()) as { next_cursor?: string }).next_cursor;
  }
}

/** @returns what the pass cost the server */
async function measureCoverage(server: Server): Promise<Cost> {
  const before = await costNow(server);
  const begunMs = performance.now();
  await until(async () => (await lastPass()) !== null);
  const figure = (performance.now() - begunMs) / 1000;
  tell({
    question: `${ofAll}: first coverage`,
    ...{ figure, unit: 's', budget: { floorTimes: 1.3 } },
    floor: { figure: plainS, of: 'reading the pages' },
  });
  return costBetween(before, await costNow(server));
}

/** Of a pass over a venue on which nothing has changed, against the first one. */
async function measureLaterPass(server: Server, first: Cost): Promise<void> {
  const idle = await costPerMs(server);
  const last = await lastPass();
  await db.query("update catalogue_passes set finished_at = finished_at - interval '1 hour'");
  const before = await costNow(server);
  const begunMs = performance.now();
  await until(async () => {
    const now = await lastPass();
    return now !== null && now > (last ?? 0);
  });
  const tookMs = performance.now() - begunMs;
  const later = costBetween(before, await costNow(server));
  tell({
    question: `${ofAll}: written by a later pass over what did not change, less what is written anyway`,
    ...{ figure: (later.wal - idle.wal * tookMs) / BYTES_PER_MB, unit: 'MB', budget: { floorTimes: 0.1 } },
    floor: { figure: first.wal / BYTES_PER_MB, of: 'the first pass' },
  });
  tell({
    question: `${ofAll}: processor time of it, less what the server takes anyway`,
    ...{ figure: (later.cpuMs - idle.cpuMs * tookMs) / 1000, unit: 's' },
    floor: { figure: first.cpuMs / 1000, of: 'the first pass' },
  });
}

async function measureMoving(server: Server): Promise<void> {
  // Room that the coverage has left is used again, and is no growth.
  await db.query('vacuum');
  await pause(SETTLE_MS);
  await lag(server);
  const { api, authorization } = server;
  const urls = CALLED.map((path) => `${api}${path}`);
  const calls = startLoad({ urls, authorization, connections: 4, perSecond: 20, mayRefuse: true });
  const [sizeBefore, threadBefore, begunMs] = [await databaseMb(), mainThreadMsOf(server.pid), performance.now()];
  await pause(MEASURE_MS);
  const tookMs = performance.now() - begunMs;
  const share = (mainThreadMsOf(server.pid) - threadBefore) / tookMs;
  const { p99Ms, asked, refused } = await calls.stop();
  const lateness = await lag(server);
  const moving = `${ofAll}, ${changesPerSecond} changes/s`;
  tell({
    question: `${moving}: memory of the server`,
    figure: rssMbOf(server.pid),
    unit: 'MB',
    budget: { atMost: 1100 },
  });
  tell({ question: `${moving}: main thread`, figure: share * 100, unit: '%', budget: { atMost: 25 } });
  tell({ question: `${moving}: event loop late, p99`, figure: lateness.p99Ms, ...withinMs(30) });
  tell({ question: `${moving}: event loop late, worst`, figure: lateness.maxMs, ...withinMs(100) });
  tell({ question: `${moving}: 20 calls/s, p99`, figure: p99Ms, ...withinMs(250) });
  tell({ question: `${moving}: of ${asked} calls refused`, figure: refused, unit: '', budget: { atMost: 0 } });
  const one = await load({ urls: [`${api}/relations/census`], authorization, connections: 1 }, CENSUS_MS);
  tell({ question: `${moving}: the census, p50`, figure: one.p50Ms, ...withinMs(500) });
  await measureSearches(server, moving);
  await pause(GROWTH_MS - (performance.now() - begunMs));
  const growth = ((await databaseMb()) - sizeBefore) / ((performance.now() - begunMs) / MS_PER_HOUR);
  tell({ question: `${moving}: the database grows by`, figure: growth, unit: 'MB/h', budget: { atMost: 30 } });
}

async function measureSearches(server: Server, moving: string): Promise<void> {
  const tookMs: number[] = [];
  let empty = 0;
  for (const search of searchesOf(made, SEARCHES))
    tookMs.push(
      await timed(async () => {
        if ((await matchesOf(server, search)) === 0) empty += 1;
      }),
    );
  say(`  ${empty} of ${SEARCHES} searches found nothing`);
  tell({ question: `${moving}: ${SEARCHES} market searches, p99`, figure: quantile(tookMs, 0.99), ...withinMs(50) });
}

/** Listed at the venue from now on: until search knows them. */
async function measureNewMarkets(): Promise<void> {
  const known = await eventCount();
  venue.command({ newEvents: NEW_EVENTS });
  const begunMs = performance.now();
  const isKnown = await until(async () => (await eventCount()) >= known + NEW_EVENTS, KNOWN_WITHIN_S * 1500);
  const figure = isKnown ? (performance.now() - begunMs) / 1000 : Number.POSITIVE_INFINITY;
  tell({ question: `${ofAll}: until new ones are known`, figure, unit: 's', budget: { atMost: KNOWN_WITHIN_S } });
}

/** Milliseconds to the answer; infinite where none comes. */
function searchOnce(server: Server): Promise<number> {
  return timed(() => matchesOf(server, 'president election')).catch(() => Number.POSITIVE_INFINITY);
}

/** How many markets match. */
async function matchesOf({ api, authorization }: Server, search: string): Promise<number> {
  const query = new URLSearchParams({ search, limit: '20' });
  const answer = await fetch(`${api}/markets?${query}`, {
    headers: { authorization },
    signal: AbortSignal.timeout(SEARCH_GIVEN_UP_MS),
  });
  if (!answer.ok) throw new Error(`a search answered ${answer.status}`);
  return ((await answer.json()) as { count: number }).count;
}

function withinMs(atMost: number) {
  return { unit: 'ms', budget: { atMost } };
}

type Cost = { cpuMs: number; wal: number };

async function costNow({ pid }: Server): Promise<Cost> {
  const { rows } = await db.query<{ wal: string }>("select pg_current_wal_lsn() - '0/0' as wal");
  return { cpuMs: cpuMsOf(pid), wal: Number(rows[0]?.wal) };
}

function costBetween(before: Cost, after: Cost): Cost {
  return { cpuMs: after.cpuMs - before.cpuMs, wal: after.wal - before.wal };
}

/** While nothing is read. */
async function costPerMs(server: Server): Promise<Cost> {
  const [before, begunMs] = [await costNow(server), performance.now()];
  await pause(IDLE_MS);
  const { cpuMs, wal } = costBetween(before, await costNow(server));
  const tookMs = performance.now() - begunMs;
  return { cpuMs: cpuMs / tookMs, wal: wal / tookMs };
}

/** Since it was asked last. */
async function lag({ url }: Server): Promise<{ p99Ms: number; maxMs: number }> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const msOf = (name: string) =>
    Number(new RegExp(`^nodejs_eventloop_lag_${name}_seconds (\\S+)`, 'm').exec(text)?.[1]) * 1000 -
    LAG_SAMPLED_EVERY_MS;
  return { p99Ms: msOf('p99'), maxMs: msOf('max') };
}

async function lastPass(): Promise<number | null> {
  const { rows } = await db.query<{ at: string | null }>(
    'select extract(epoch from finished_at) as at from catalogue_passes',
  );
  const at = rows[0]?.at;
  return at === null || at === undefined ? null : Number(at);
}

async function eventCount(): Promise<number> {
  const { rows } = await db.query<{ count: string }>('select count(*) from catalogue_events');
  return Number(rows[0]?.count);
}

async function databaseMb(): Promise<number> {
  const { rows } = await db.query<{ bytes: string }>('select pg_database_size(current_database()) as bytes');
  return Number(rows[0]?.bytes) / BYTES_PER_MB;
}

async function until(isSo: () => Promise<boolean>, forMs = GIVEN_UP_MS): Promise<boolean> {
  for (const endMs = performance.now() + forMs; performance.now() < endMs; await pause(LOOK_EVERY_MS))
    if (await isSo()) return true;
  return false;
}
