// What paper trading costs: the product on the exchange that mirrors a venue of so many markets, against the product on that venue
// itself, read only. Both follow the books that discovery follows, which change as often.
//
//     npm run bench -- paper
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { repositoryRoot } from '@dutchbook/tools/repository.ts';
import { startChild, stop } from '@dutchbook/tools/start/child.ts';
import { EXCHANGE_OPTIONS, readAddress } from '@dutchbook/tools/start/exchange.ts';
import { EXCHANGE_PROGRAM } from '@dutchbook/tools/start/program-build.ts';
import { Client } from 'pg';
import { openDatabase } from '../databases.ts';
import { EMPTY, fillDatabase } from '../filled.ts';
import { cpuMsOf, rssMbOf } from '../processes.ts';
import { say, tell } from '../rows.ts';
import { buildServer, startServer } from '../server-process.ts';
import { openStandInVenue } from './stand-in.ts';

const MARKETS = Number(process.argv[2] ?? 600);
const CHANGES_PER_SECOND = 1300;
const COVERED_WITHIN_MS = 1_200_000;
const SETTLE_MS = 10_000;
const MEASURE_MS = 60_000;

/** `cpuMs`: for a thousand changes of books. */
type Measured = { cpuMs: number; memoryMb: number };
type StandIn = Awaited<ReturnType<typeof openStandInVenue>>;

buildServer();
const direct = await onVenue();
const paper = await onPaper();
const what = `${(MARKETS * 2).toLocaleString('en')} tokens, ${CHANGES_PER_SECOND} changes/s on paper`;
tell({
  question: `${what}: processor time of mirror and product for a thousand changes`,
  ...{ figure: paper.cpuMs, unit: 'ms', budget: { floorTimes: 1.6 } },
  floor: { figure: direct.cpuMs, of: 'the product alone' },
});
tell({
  question: `${what}: memory more than that of the product alone`,
  ...{ figure: paper.memoryMb - direct.memoryMb, unit: 'MB', budget: { atMost: 250 } },
});

async function onVenue(): Promise<Measured> {
  await using venue = await openStandInVenue(MARKETS);
  return await measureServer(venue, { VENUE: 'polymarket', ...venue.variables }, []);
}

async function onPaper(): Promise<Measured> {
  await using venue = await openStandInVenue(MARKETS);
  const { POLYMARKET_GAMMA_URL: gamma, POLYMARKET_CLOB_URL: clob, POLYMARKET_WS_URL: ws } = venue.variables;
  const upstream = [gamma, clob, ws].join();
  const script = join(repositoryRoot, EXCHANGE_PROGRAM);
  const exchange = startChild('The exchange', script, { PAPER_UPSTREAM: upstream }, 'pipe', EXCHANGE_OPTIONS);
  try {
    const url = await readAddress(exchange, new AbortController().signal);
    const variables = {
      ...{ VENUE: 'paper', PAPER_UPSTREAM: upstream },
      ...{ POLYMARKET_CLOB_URL: url, POLYMARKET_GAMMA_URL: `${url}/gamma`, POLYMARKET_DATA_URL: `${url}/data-api` },
      POLYMARKET_RPC_URLS: `${url}/_chain/rpc,${url}/_chain/rpc2`,
      ...{ POLYMARKET_RELAYER_URL: `${url}/relayer`, POLYMARKET_WS_URL: `${url.replace('http', 'ws')}/ws` },
    };
    return await measureServer(venue, variables, [exchange.process.pid ?? 0]);
  } finally {
    await stop(exchange);
  }
}

/** After the whole catalogue was covered, of the server and of what runs `beside` it. */
async function measureServer(
  venue: StandIn,
  ofVenue: Record<string, string>,
  beside: readonly number[],
): Promise<Measured> {
  await using database = await openDatabase();
  const variables = { ...database.variables, ...ofVenue, DISCOVERY: 'on' };
  await fillDatabase(variables, EMPTY);
  await using server = await startServer(variables);
  await untilCovered(database.variables.DATABASE_URL ?? '');
  const followed = await untilFollowed(venue);
  const pids = [server.pid, ...beside];
  venue.command({ changesPerSecond: CHANGES_PER_SECOND });
  await pause(SETTLE_MS);
  const [before, { sent }] = [pids.map(cpuMsOf), await venue.counts()];
  await pause(MEASURE_MS);
  const heard = (await venue.counts()).sent - sent;
  const used = pids.map((pid, place) => cpuMsOf(pid) - (before[place] ?? 0));
  const memory = pids.map(rssMbOf);
  const each = used.map((ms, place) => `${(ms / 1000).toFixed(1)} s and ${Math.round(memory[place] ?? 0)} MB`);
  say(`  ${ofVenue.VENUE}: ${followed} books followed, ${heard} changes; processes ${each.join(', ')}`);
  return { cpuMs: (sumOf(used) * 1000) / heard, memoryMb: sumOf(memory) };
}

async function untilCovered(url: string): Promise<void> {
  const db = new Client({ connectionString: url });
  await db.connect();
  try {
    for (const endMs = performance.now() + COVERED_WITHIN_MS; performance.now() < endMs; await pause(500)) {
      const { rowCount } = await db.query('select from catalogue_passes where finished_at is not null');
      if (rowCount !== 0) return;
    }
    throw new Error('the catalogue was not covered');
  } finally {
    await db.end();
  }
}

/** Resolves with how many, once there are no more than before. */
async function untilFollowed(venue: StandIn): Promise<number> {
  for (let before = -1; ; ) {
    const { followed } = await venue.counts();
    if (followed === before) return followed;
    before = followed;
    await pause(4000);
  }
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
