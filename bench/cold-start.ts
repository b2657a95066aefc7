// How long from starting the server until it may trade: where nothing has happened yet, and where it was killed while the
// venue was answering 50 of its orders, so that each has to be looked up before anything new is bought. Budget: 3 s and 10 s.
//
//     node_modules/.bin/node bench/cold-start.ts
import { setTimeout as pause } from 'node:timers/promises';
import { API_PREFIX } from '@dutchbook/contract/endpoint.ts';
import { callerOf } from './calls.ts';
import { openDatabase } from './databases.ts';
import { type Exchange, openExchangeThread } from './exchange/exchange.ts';
import { type OpenSet, openSets } from './exchange/sets.ts';
import { EMPTY, fill } from './filled.ts';
import { idleNode } from './processes.ts';
import { median, say, tell } from './rows.ts';
import { buildWhatStarts, startServer } from './server-process.ts';

const STARTS = 1;
const EMPTY_SECONDS_MAX = 3;
const SETS = { sets: 10, positions: 5, ask: '0.15', targetPrice: 1 };
const ORDERS = SETS.sets * SETS.positions;
const IN_FLIGHT_SECONDS_MAX = 10;
const HANG = { name: 'hang', times: ORDERS, ms: 3_600_000 };
const POLL_MS = 20;
/** By when the exchange has read the last request and taken its orders. */
const TAKEN_MS = 500;
const GIVE_UP_MS = 60_000;

type Simulation = { errors: string[] };

buildWhatStarts();
const floor = { figure: (await idleNode()).startedMs / 1000, of: 'node that does nothing' };
await measureEmpty();
await measureInFlight();

async function measureEmpty(): Promise<void> {
  const took: number[] = [];
  while (took.length < STARTS) {
    await using exchange = await openExchangeThread();
    await using database = await openDatabase();
    const begunMs = performance.now();
    await using server = await startServer({ ...database.variables, ...exchange.variables });
    while (!(await fetch(`${server.url}/health`)).ok) await pause(POLL_MS);
    took.push((performance.now() - begunMs) / 1000);
  }
  const budget = { atMost: EMPTY_SECONDS_MAX };
  tell({
    question: `cold start to ready, nothing to take up`,
    figure: median(took),
    unit: 's',
    budget,
    floor,
  });
}

async function measureInFlight(): Promise<void> {
  await using exchange = await openExchangeThread();
  await using database = await openDatabase();
  const variables = { ...database.variables, ...exchange.variables };
  const { authorization } = await fill(variables, EMPTY);
  const sets = await leaveInFlight(exchange, variables, authorization);
  const begunMs = performance.now();
  await using server = await startServer(variables);
  const asked = `${server.url}${API_PREFIX}/arbitrage/simulate-orders/${sets[0]?.id}`;
  const isReady = async () => {
    const { errors } = (await (await fetch(asked, { headers: { authorization } })).json()) as Simulation;
    return !errors.some((error) => error.includes('still being reconciled'));
  };
  while (!(await isReady())) {
    if (performance.now() - begunMs > GIVE_UP_MS) throw new Error('orders are still being reconciled after a minute');
    await pause(POLL_MS);
  }
  tell({
    question: `cold start to ready, ${ORDERS} orders in flight`,
    figure: (performance.now() - begunMs) / 1000,
    unit: 's',
    budget: { atMost: IN_FLIGHT_SECONDS_MAX },
    floor,
  });
  const orders = await fetch(`${server.url}${API_PREFIX}/arbitrage/orders?limit=1`, { headers: { authorization } });
  say(`  orders: ${((await orders.json()) as { count: number }).count}`);
}

/** Buys every set from a venue that takes the orders and never answers, and kills the server. */
async function leaveInFlight(
  exchange: Exchange,
  variables: Record<string, string>,
  authorization: string,
): Promise<OpenSet[]> {
  await using server = await startServer(variables);
  const api = `${server.url}${API_PREFIX}`;
  const call = callerOf(api, authorization);
  await exchange.control('balance', { usd: '1000000' });
  await call('PUT', '/system-settings/', { AUTO_PLACE_ORDER_ENABLED: false });
  const sets = await openSets(api, authorization, exchange, SETS);
  if (sets.length < SETS.sets) throw new Error('the exchange lists too few markets');
  await exchange.control('faults', HANG);
  for (const { id } of sets) {
    const found = await exchange.until('/orders', () => void call('POST', `/arbitrage/place-order/${id}`));
    if (found === null) throw new Error('an order did not reach the venue');
  }
  await pause(TAKEN_MS);
  await server.kill();
  await exchange.control('faults', undefined, 'DELETE');
  return sets;
}
