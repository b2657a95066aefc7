/** Many live clients on a thread of their own, which note what they are told. */
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { WebSocket } from 'ws';

export type TabsPlan = { url: string; token: string; tabs: number };

/** `perTab`: changes each client was told. `tookMs`: of each, since it was published. */
export type TabsReport = { perTab: number[]; outOfOrder: number; tookMs: Float64Array; slowResyncs: number };

/** Longer than a client that has caught up waits for the word. */
const CAUGHT_UP_MS = 3000;
const CONNECTING_AT_ONCE = 50;

const { url, token, tabs } = workerData as TabsPlan;
const perTab: number[] = [];
const tookMs: number[] = [];
let outOfOrder = 0;
let slowResyncs = 0;

for (let from = 0; from < tabs; from += CONNECTING_AT_ONCE) {
  const some = Array.from({ length: Math.min(CONNECTING_AT_ONCE, tabs - from) }, (_, index) => openTab(from + index));
  await Promise.all(some);
}
const slow = await open('jobs');
slow.on('message', (data) => {
  if (String(data).startsWith('{"type":"resync"')) slowResyncs += 1;
});
slow.pause();
parentPort?.on('message', (wish) => void answer(wish));
parentPort?.postMessage('ready');

async function answer(wish: 'report' | 'resume'): Promise<void> {
  if (wish === 'resume') {
    slow.resume();
    await pause(CAUGHT_UP_MS);
  }
  parentPort?.postMessage({ perTab, outOfOrder, tookMs: Float64Array.from(tookMs), slowResyncs } satisfies TabsReport);
}

async function openTab(index: number): Promise<void> {
  perTab[index] = 0;
  let last = 0;
  const socket = await open('opportunities');
  socket.on('message', (data) => {
    const now = process.hrtime.bigint();
    const { data: row } = JSON.parse(String(data)) as { data?: { source_details: string | null } };
    const [nth, atNs] = row?.source_details?.split(' ') ?? [];
    if (nth === undefined) return;
    if (Number(nth) <= last) outOfOrder += 1;
    last = Number(nth);
    perTab[index] = (perTab[index] ?? 0) + 1;
    tookMs.push(Number(now - BigInt(atNs ?? 0)) / 1e6);
  });
}

/** Resolves when the client is told that it listens. */
async function open(topic: string): Promise<WebSocket> {
  const socket = new WebSocket(url);
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'auth', token }));
  socket.send(JSON.stringify({ type: 'subscribe', topics: [topic] }));
  await once(socket, 'message');
  return socket;
}
