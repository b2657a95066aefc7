// A person buys a set of six positions from a venue that takes 50 ms for every answer: how far apart do its orders leave,
// and how long does the person wait for the reply? The whole product against the simulated exchange.
// Budget: all orders within 60 ms of each other, the reply within 300 ms.
import { setTimeout as pause } from 'node:timers/promises';
import { openSets, openSimulatedExchange } from './exchange.ts';
import { openProduct, timed } from './product.ts';
import { say, tell } from './rows.ts';

const BATCHES = 4;
const SETS = { sets: 6, positions: 6, ask: '0.1', targetPrice: 1 };
const SLOW_MS = 50;
const POLL_MS = 50;
const ENDED = ['completed', 'partial_completed', 'failed'];

type Batch = { id: string; status: string };

await using exchange = await openSimulatedExchange();
await using product = await openProduct({ ...exchange.variables, DISCOVERY: 'off' });
const { call } = product;
await call('PUT', '/system-settings/', { AUTO_PLACE_ORDER_ENABLED: false });
const sets = await openSets(call, exchange, SETS);
exchange.slowDown(SLOW_MS);
const apartMs: number[] = [];
const replyMs: number[] = [];
for (const { id } of sets.slice(0, BATCHES)) {
  const arrivedMs = await exchange.posts(async () => {
    let batch: Batch | undefined;
    replyMs.push(
      await timed(async () => {
        batch = (await call('POST', `/arbitrage/place-order/${id}`)) as Batch;
      }),
    );
    while (batch !== undefined && !ENDED.includes(batch.status)) {
      await pause(POLL_MS);
      batch = (await call('GET', `/arbitrage/batches/${batch.id}`)) as Batch;
    }
    if (batch?.status !== 'completed') say(`  a batch ended as ${batch?.status}`);
  });
  apartMs.push(Math.max(...arrivedMs) - Math.min(...arrivedMs));
}
const named = `batch of ${SETS.positions}, venue ${SLOW_MS} ms slow`;
tell({
  question: `${named}: its orders leave within, at most`,
  ...{ figure: Math.max(...apartMs), unit: 'ms', budget: { atMost: 60 } },
});
tell({
  question: `${named}: reply to placing, at most`,
  ...{ figure: Math.max(...replyMs), unit: 'ms', budget: { atMost: 300 } },
  floor: { figure: SLOW_MS, of: 'one answer of the venue' },
});
