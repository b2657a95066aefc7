// What paper trading costs: the product on the exchange that mirrors a venue of so many markets, against the product on that venue
// itself, read only. Both follow the books that discovery follows, which change as often.
//
//     npm run bench -- paper          # and paper-20000, of as many tokens
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { repositoryRoot } from '@dutchbook/tools/repository.ts';
import { startChild, stop } from '@dutchbook/tools/start/child.ts';
import { EXCHANGE_OPTIONS, readAddress } from '@dutchbook/tools/start/exchange.ts';
import { EXCHANGE_PROGRAM } from '@dutchbook/tools/start/program-build.ts';
import { cpuMsOf, rssMbOf } from '../processes.ts';
import { openProduct, type Server } from '../product.ts';
import { say, tell } from '../rows.ts';
import { openStandInVenue } from './stand-in.ts';

const MARKETS = Number(process.argv[2] ?? 600);
const CHANGES_PER_SECOND = 1300;
const COVERED_WITHIN_MS = 1_200_000;
const SETTLE_MS = 10_000;
const MEASURE_MS = 60_000;

/** `cpuMs`: for a thousand changes of books. */
type Measured = { cpuMs: number; memoryMb: number };
type StandIn = Awaited<ReturnType<typeof openStandInVenue>>;

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
  await using product = await openProduct({ ...ofVenue, DISCOVERY: 'on' });
  await untilCovered(product);
  await venue.untilFollowed();
  const pids = [product.pid, ...beside];
  venue.command({ changesPerSecond: CHANGES_PER_SECOND });
  await pause(SETTLE_MS);
  const [before, { sent, followed }] = [pids.map(cpuMsOf), await venue.counts()];
  await pause(MEASURE_MS);
  const heard = (await venue.counts()).sent - sent;
  const used = pids.map((pid, place) => cpuMsOf(pid) - (before[place] ?? 0));
  const memory = pids.map(rssMbOf);
  const each = used.map((ms, place) => `${(ms / 1000).toFixed(1)} s and ${Math.round(memory[place] ?? 0)} MB`);
  say(`  ${ofVenue.VENUE}: ${followed} books followed, ${heard} changes; processes ${each.join(', ')}`);
  return { cpuMs: (sumOf(used) * 1000) / heard, memoryMb: sumOf(memory) };
}

async function untilCovered({ call }: Server): Promise<void> {
  for (const endMs = performance.now() + COVERED_WITHIN_MS; performance.now() < endMs; await pause(500)) {
    const { sync } = (await call('GET', '/relations/census')) as { sync: { finished_at: string | null } };
    if (sync.finished_at !== null) return;
  }
  throw new Error('the catalogue was not covered');
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
