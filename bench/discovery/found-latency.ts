// How long from the frame that makes a set pay to its opportunity in the list, as a reader of the live stream sees it? The
// whole product on the planted exchange, where sets begin to pay and are paused again before they come back: first with
// nothing else going on, then with 1,500 frames a second on other markets that are watched as well. Budget: p99 50 ms.
//
//     TEST_DATABASE_URL=postgres://... node_modules/.bin/node bench/discovery/found-latency.ts [--minutes 1] [--planted 500,200,200]
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { STREAM_PATH } from '@dutchbook/contract/stream.ts';
import { WebSocket } from 'ws';
import { quantile, say, tell } from '../rows.ts';
import { buildServer } from '../server-process.ts';
import { rowTimes, type ToldRow } from './match-rows.ts';
import {
  type DiscoveringProduct,
  EVENTS_PLANTED,
  listAll,
  openDiscoveringProduct,
  plantedCounts,
  readPlanted,
  untilEverythingIsWatched,
} from './product.ts';

const { values: chosen } = parseArgs({
  options: { minutes: { type: 'string', default: '1' }, planted: { type: 'string', default: EVENTS_PLANTED } },
});
const MINUTES = Number(chosen.minutes);
const PLANTED = plantedCounts(chosen.planted);
/** The shortest pause is longer than a row stays open after its set has stopped to pay. */
const PACE = { pause_ms: 20_000, length_ms: 3600 };
const FRAMES_PER_SECOND = 1500;
const P99_MS_MAX = 50;
const LATEST_ROW_MS = 5000;
const MISSING_MAX = 12;
const DISCOVERY = { ladder: true, buckets: true };

buildServer();
await measure();
process.exit();

async function measure(): Promise<void> {
  await using product = await openDiscoveringProduct({ planted: PLANTED, settings: {}, discovery: DISCOVERY });
  const { exchange } = product;
  await exchange.control('plant', { move: true, ...PACE });
  const relations = await untilEverythingIsWatched(product);
  const eventOf = new Map(relations.map(({ id, event_id: eventId }) => [id, eventId]));
  const rows = await listen(product, eventOf);
  const quiet = await stage(product, rows);
  await exchange.moveBooks(FRAMES_PER_SECOND);
  const busy = await stage(product, rows);
  const frames = await exchange.moveBooks(0);
  say(
    `  ${quiet.tookMs.length} rows with nothing else, ${busy.tookMs.length} beside ${(frames / busy.seconds).toFixed(0)} frames/s; windows without a row: ${quiet.missing.length} and ${busy.missing.length}`,
  );
  for (const { event, fromMs } of [...quiet.missing, ...busy.missing].slice(0, MISSING_MAX))
    say(`    ${event.kind}, ${event.basis}, event ${event.event_ids.join(' and ')}, ${new Date(fromMs).toISOString()}`);
  const at = (times: typeof busy, share: number) =>
    quantile([...times.tookMs, ...Array<number>(times.missing.length).fill(Number.POSITIVE_INFINITY)], share);
  const question = `frame to the found row, ${FRAMES_PER_SECOND.toLocaleString('en')} frames/s on other markets`;
  for (const [name, share] of [
    ['p50', 0.5],
    ['p99', 0.99],
  ] as const) {
    tell({
      question: `${question}: ${name}`,
      figure: at(busy, share),
      unit: 'ms',
      budget: name === 'p99' ? { atMost: P99_MS_MAX } : null,
      floor: { figure: at(quiet, share), of: 'with no other frames' },
    });
  }
}

type Row = { id: string; relation_id: string | null; active: boolean };

/** Every row that is in the list now, and that the stream tells of from now on, as it comes. */
async function listen({ api, authorization, call }: DiscoveringProduct, eventOf: ReadonlyMap<string, string>) {
  const rows: ToldRow[] = [];
  const socket = new WebSocket(`${api.replace('http', 'ws')}${STREAM_PATH}`);
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'auth', token: authorization.replace('Bearer ', '') }));
  socket.send(JSON.stringify({ type: 'subscribe', topics: ['opportunities'] }));
  await once(socket, 'message');
  const note = ({ id, relation_id: relationId, active }: Row, atMs: number) => {
    const eventId = eventOf.get(relationId ?? '');
    if (eventId !== undefined) rows.push({ eventId, opportunityId: id, active, atMs });
  };
  socket.on('message', (frame) => {
    const atMs = Date.now();
    const { type, data } = JSON.parse(String(frame)) as { type: string; data?: Row };
    if (type === 'opportunity' && data !== undefined) note(data, atMs);
  });
  const listed = await listAll<Row>(call, '/arbitrage/opportunities');
  const told = rows.splice(0);
  for (const row of listed) note(row, 0);
  rows.push(...told);
  return rows;
}

async function stage({ exchange }: DiscoveringProduct, rows: readonly ToldRow[]) {
  const fromMs = Date.now();
  await pause(MINUTES * 60_000);
  const toMs = Date.now();
  await pause(LATEST_ROW_MS);
  const times = rowTimes(await readPlanted(exchange.url), rows, { fromMs, toMs });
  return { ...times, seconds: (Date.now() - fromMs) / 1000 };
}
