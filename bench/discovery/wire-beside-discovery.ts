// Does discovery make an order leave later? Trigger to wire with discovery and without it, in turns: the same exchange and
// database, and a server that is started anew each time; first with nothing else going on, then with 1,500 frames a second
// on markets that discovery watches and trading does not. Budget: 1.1 times in the median, with nothing else.
//
//     TEST_DATABASE_URL=postgres://... node_modules/.bin/node bench/discovery/wire-beside-discovery.ts [triggers of each turn]
import { setTimeout as pause } from 'node:timers/promises';
import { API_PREFIX } from '@dutchbook/contract/endpoint.ts';
import { callerOf } from '../calls.ts';
import { openDatabase } from '../databases.ts';
import { type Exchange, openExchangeThread } from '../exchange/exchange.ts';
import { type OpenSet, openSets } from '../exchange/sets.ts';
import { PAIRS, pairsThatBuy, trigger } from '../exchange/triggering.ts';
import { EMPTY, fill } from '../filled.ts';
import { quantile, say, tell } from '../rows.ts';
import { buildServer, startServer } from '../server-process.ts';
import { untilRead } from './product.ts';

const TRIGGERS = Number(process.argv[2] ?? 40);
const FRAMES_PER_SECOND = 1500;
/** Of which none pays: what does pay is a trigger of its own. */
const PLANTED = { events: 500, mispriced: 0, decoys: 200 };
/** So that what becomes faster or slower meanwhile, and what the first start finds empty, weighs on both. */
const TURNS: readonly ('on' | 'off')[] = ['on', 'off', 'off', 'on', 'on', 'off'];
const TIMES_MAX = 1.1;
const COME_TO_REST_MS = 5000;

type Took = { alone: number[]; beside: number[] };

buildServer();
await measure();
process.exit();

async function measure(): Promise<void> {
  await using exchange = await openExchangeThread({ planted: PLANTED });
  await using database = await openDatabase();
  const variables = { ...database.variables, ...exchange.variables };
  const { authorization } = await fill(variables, EMPTY);
  const took: Record<'on' | 'off', Took> = { on: { alone: [], beside: [] }, off: { alone: [], beside: [] } };
  let pairs: OpenSet[] = [];
  for (const discovery of TURNS) {
    await using server = await startServer({ ...variables, DISCOVERY: discovery });
    const api = `${server.url}${API_PREFIX}`;
    await exchange.control('balance', { usd: '1000000' });
    if (pairs.length === 0) pairs = await openSets(api, authorization, exchange, PAIRS);
    if (discovery === 'on') await untilRead(callerOf(api, authorization));
    await pause(COME_TO_REST_MS);
    await measureTurn(exchange, await pairsThatBuy(exchange, pairs), took[discovery]);
  }
  tellBoth('alone', took, TIMES_MAX);
  tellBoth('beside', took, null);
}

async function measureTurn(exchange: Exchange, pairs: readonly OpenSet[], took: Took): Promise<void> {
  took.alone.push(...(await trigger(exchange, pairs, TRIGGERS)));
  await exchange.moveBooks(FRAMES_PER_SECOND);
  took.beside.push(...(await trigger(exchange, pairs, TRIGGERS)));
  await exchange.moveBooks(0);
}

function tellBoth(how: keyof Took, { on, off }: Record<'on' | 'off', Took>, timesMax: number | null): void {
  const beside = how === 'beside' ? `, ${FRAMES_PER_SECOND.toLocaleString('en')} frames/s on other markets` : '';
  const question = `trigger to wire with discovery${beside}`;
  const floor = (share: number) => ({ figure: quantile(off[how], share), of: 'without discovery' });
  const budget = timesMax === null ? null : { floorTimes: timesMax };
  tell({ question: `${question}: p50`, figure: quantile(on[how], 0.5), unit: 'ms', budget, floor: floor(0.5) });
  tell({ question: `${question}: p99`, figure: quantile(on[how], 0.99), unit: 'ms', floor: floor(0.99) });
  say(`  ${on[how].length} triggers with it, ${off[how].length} without`);
}
