/** The product in a process of its own, on an exchange that has planted what pays, with everything read, approved and quoted. */
import { setTimeout as pause } from 'node:timers/promises';
import { API_PREFIX } from '@dutchbook/contract/endpoint.ts';
import { type Call, callerOf } from '../calls.ts';
import { openDatabase } from '../databases.ts';
import { openExchangeThread, type PlantedCounts } from '../exchange/exchange.ts';
import { EMPTY, fillDatabase } from '../filled.ts';
import { startServer } from '../server-process.ts';
import type { PlantedEvent } from './match-windows.ts';

/** Events in all, those in which a set pays now and then, and decoys. */
export const EVENTS_PLANTED = '160,64,64';

const LOOK_EVERY_MS = 500;
const PAGE = 1000;
const PLENTY_USD = '100000000';
/** What is still being read when the venue has been read once. */
const APPROVED_WITHIN_MS = 4000;

/** As the API lists it; dollars. */
export type Relation = {
  id: string;
  event_id: string;
  kind: string;
  basis: string;
  state: string;
  members: number;
  quoted: number;
  may_trade: boolean;
  hits: number;
};

export type ProductPlan = {
  planted: PlantedCounts;
  /** Of the trading settings: what is left out stays. */
  settings: Record<string, number | boolean>;
  /** Of the settings of discovery. */
  discovery: Record<string, number | boolean>;
};

export async function openDiscoveringProduct({ planted, settings, discovery }: ProductPlan) {
  const exchange = await openExchangeThread({ planted });
  const database = await openDatabase();
  const variables = { ...database.variables, ...exchange.variables };
  const { authorization } = await fillDatabase(variables, EMPTY);
  const server = await startServer(variables);
  const api = `${server.url}${API_PREFIX}`;
  const call = callerOf(api, authorization);
  await exchange.control('balance', { usd: PLENTY_USD });
  await call('PUT', '/system-settings/', settings);
  await call('PUT', '/system-settings/discovery', discovery);
  return {
    exchange,
    server,
    api,
    authorization,
    call,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
      await exchange[Symbol.asyncDispose]();
    },
  };
}

export type DiscoveringProduct = Awaited<ReturnType<typeof openDiscoveringProduct>>;

export function plantedCounts(text: string): PlantedCounts {
  const [events = 0, mispriced = 0, decoys = 0] = text.split(',').map(Number);
  return { events, mispriced, decoys };
}

/** Every row of a list, page by page. */
export async function listAll<Row>(call: Call, path: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const separator = path.includes('?') ? '&' : '?';
    const page = (await call('GET', `${path}${separator}limit=${PAGE}&skip=${rows.length}`)) as { data: Row[] };
    rows.push(...page.data);
    if (page.data.length < PAGE) return rows;
  }
}

/** The truth about what was planted. */
export async function readPlanted(exchangeUrl: string): Promise<PlantedEvent[]> {
  return (await (await fetch(`${exchangeUrl}/_control/planted`)).json()) as PlantedEvent[];
}

/** Waits until the venue has been read and its books are there, and approves as a superuser all that was read from words. */
export async function untilEverythingIsWatched({ call }: DiscoveringProduct): Promise<Relation[]> {
  await untilRead(call);
  for (const { id } of await listAll<Relation>(call, '/relations?state=proposed&basis=parsed')) {
    const { fingerprint } = (await call('GET', `/relations/${id}`)) as { fingerprint: string };
    await call('POST', `/relations/${id}/approve`, { fingerprint });
  }
  await pause(APPROVED_WITHIN_MS);
  return await listAll<Relation>(call, '/relations');
}

/** Calls what listens at `api`, signed in. */

/** Waits until the venue has been read once, and the books of what was read are there. */
async function untilRead(call: Call): Promise<void> {
  let before = -1;
  for (;;) {
    await pause(LOOK_EVERY_MS);
    const { sync } = (await call('GET', '/relations/census')) as { sync: { finished_at: string | null } };
    const relations = await listAll<Relation>(call, '/relations');
    const quoted = relations.filter((relation) => relation.quoted > 0).length;
    if (sync.finished_at !== null && relations.length > 0 && quoted === before) return;
    before = quoted;
  }
}
