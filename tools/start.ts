// `npm start`: the whole product. On the simulated exchange (the default) and on paper, where that exchange mirrors a real
// venue, it is two processes, the exchange and the server; on a real venue the server alone. Both are stopped together.
import { join, resolve } from 'node:path';
import { repositoryRoot, say } from './repository.ts';
import { type Child, startChild, stop } from './start/child.ts';
import { type RunningExchange, startExchange } from './start/exchange.ts';
import { keepRunning } from './start/keep-running.ts';
import { buildProgramsWhenNeeded, SERVER_PROGRAM } from './start/program-build.ts';
import { buildWebWhenNeeded } from './start/web-build.ts';

const DEFAULT_DATA_DIR = './data';

async function start(stopping: AbortSignal): Promise<number> {
  if (!buildWebWhenNeeded()) throw new Error('The web pages could not be built, for the reason printed above.');
  if (!buildProgramsWhenNeeded()) throw new Error('The server could not be built, for the reason printed above.');
  const dataDirectory = resolve(process.env.DATA_DIR ?? DEFAULT_DATA_DIR);
  const exchange = await startVenue(dataDirectory, stopping);
  say('Starting the server.');
  const env = { DATA_DIR: dataDirectory, ...(exchange === undefined ? {} : venueAddresses(exchange.url)) };
  const startServer = () => startChild('The server', join(repositoryRoot, SERVER_PROGRAM), env, 'inherit');
  return runUntilStopped(startServer, exchange?.child, stopping);
}

/** What VENUE names; anything else than these two is a real venue, or wrong, which the server says. */
const [world = '', named = 'polymarket'] = (process.env.VENUE ?? '').split(':').map((part) => part.trim());
const isPaper = world === 'paper';
const mirrored = isPaper ? named.split(',').map((name) => name.trim()) : [];
const isSimulated = (process.env.VENUE || 'simulated') === 'simulated';

/** The simulated exchange, when that is the venue in use and none is named that runs already. */
async function startVenue(dataDirectory: string, stopping: AbortSignal): Promise<RunningExchange | undefined> {
  if (!(isSimulated || isPaper) || process.env.POLYMARKET_CLOB_URL) return undefined;
  say(
    `Starting the simulated exchange${isPaper ? `, which mirrors ${mirrored.map((name) => LABELS[name] ?? name).join(' and ')}` : ''}.`,
  );
  // Each has a journal of its own: the exchange starts before the server has seen whose data the folder holds.
  const own = isPaper
    ? { journal: 'paper.journal', upstreams: upstreams() }
    : { journal: 'exchange.journal', upstreams: NO_UPSTREAMS };
  const exchange = await startExchange(join(dataDirectory, own.journal), own.upstreams, stopping);
  say(`The simulated exchange listens on ${exchange.url}.`);
  return exchange;
}

const LABELS: Readonly<Record<string, string>> = { polymarket: 'Polymarket', kalshi: 'Kalshi' };
const NO_UPSTREAMS = { PAPER_UPSTREAM: undefined, PAPER_KALSHI_UPSTREAM: undefined };

/** Of the venues that are mirrored alone. What else VENUE names is wrong, which the server says. */
function upstreams(): NodeJS.ProcessEnv {
  const of = (name: string, variable: string) =>
    mirrored.includes(name) ? { [variable]: process.env[variable] || 'real' } : {};
  const asked = { ...of('polymarket', 'PAPER_UPSTREAM'), ...of('kalshi', 'PAPER_KALSHI_UPSTREAM') };
  return { ...NO_UPSTREAMS, ...(Object.keys(asked).length > 0 ? asked : { PAPER_UPSTREAM: 'real' }) };
}

/** The simulated venue is the real venue's adapter with other addresses, never the venue's own ones. */
function venueAddresses(url: string): NodeJS.ProcessEnv {
  return {
    VENUE: process.env.VENUE || 'simulated',
    POLYMARKET_CLOB_URL: url,
    POLYMARKET_GAMMA_URL: `${url}/gamma`,
    POLYMARKET_DATA_URL: `${url}/data-api`,
    POLYMARKET_RPC_URLS: `${url}/_chain/rpc,${url}/_chain/rpc2`,
    POLYMARKET_RELAYER_URL: `${url}/relayer`,
    POLYMARKET_WS_URL: `${url.replace(/^http/, 'ws')}/ws`,
    ...(mirrored.includes('kalshi') || (isSimulated && process.env.SIMULATED_KALSHI !== 'off')
      ? kalshiAddresses(url)
      : {}),
  };
}

/** Beside Polymarket, which is asked for alone where one venue is enough. */
function kalshiAddresses(url: string): NodeJS.ProcessEnv {
  return {
    KALSHI_API_URL: `${url}/trade-api/v2`,
    KALSHI_WS_URL: `${url.replace(/^http/, 'ws')}/trade-api/ws/v2`,
  };
}

/**
 * Keeps the server running until `stopping`, or until the exchange or the server has ended for good; then ends what still
 * runs. The exit code is the server's.
 */
async function runUntilStopped(
  startServer: () => Child,
  exchange: Child | undefined,
  stopping: AbortSignal,
): Promise<number> {
  const stopAsked = new Promise<'stop'>((resolveStop) => {
    if (stopping.aborted) resolveStop('stop');
    stopping.addEventListener('abort', () => resolveStop('stop'));
  });
  const exchangeEnded = exchange?.ended.then(() => 'exchange' as const);
  const untilStopped = Promise.race([stopAsked, ...(exchangeEnded === undefined ? [] : [exchangeEnded])]);
  const server = await keepRunning({
    ...{ name: 'The server', start: startServer, untilStopped, nowMs: Date.now },
    say: (line) => process.stderr.write(`${line}\n`),
  });
  const reason = await Promise.race([untilStopped, server.ended]);
  if (reason === 'stop') say('Stopping.');
  if (reason === 'exchange') process.stderr.write('The simulated exchange has ended by itself; stopping the server.\n');
  const serverCode = await stop(server);
  if (exchange !== undefined) await stop(exchange);
  return reason === 'exchange' ? serverCode || 1 : serverCode;
}

// What cannot be written there, as on a full disk, would end the process, and the product with it.
for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stopping.abort());
try {
  // Not by process.exit, which on Node 24 now and then waits for ever for a thread that compiles and waits for it.
  process.exitCode = await start(stopping.signal);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
