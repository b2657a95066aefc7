// A person buys a set of six positions from a venue that takes 50 ms for every answer: how far apart do its orders leave,
// and how long does the person wait for the reply? The whole product against the simulated exchange.
// Budget: all orders within 60 ms of each other, the reply within 300 ms.
//
//     node_modules/.bin/node bench/placing.ts
import { setTimeout as pause } from 'node:timers/promises';
import { callerOf } from './calls.ts';
import { openSets } from './exchange/sets.ts';
import { median, say, tell } from './rows.ts';
import { openTradingProduct } from './trading-product.ts';

const BATCHES = 4;
const SETS = { sets: 6, positions: 6, ask: '0.1', targetPrice: 1 };
const SLOW_MS = 50;
const APART_MS_MAX = 60;
const REPLY_MS_MAX = 300;
const POLL_MS = 50;
const ENDED = ['completed', 'partial_completed', 'failed'];

type Batch = { id: string; status: string };

await measure();

async function measure(): Promise<void> {
  await using product = await openTradingProduct();
  const { exchange, authorization, api } = product;
  const call = callerOf(api, authorization);
  await call('PUT', '/system-settings/', { AUTO_PLACE_ORDER_ENABLED: false });
  const sets = await openSets(api, authorization, exchange, SETS);
  exchange.slowDown(SLOW_MS);
  const apartMs: number[] = [];
  const replyMs: number[] = [];
  let requests = 0;
  for (let nth = 0; nth < BATCHES; nth += 1) {
    const id = sets[nth % sets.length]?.id ?? '';
    const arrived = await exchange.posts('/orders', async () => {
      const begunMs = performance.now();
      let batch = (await call('POST', `/arbitrage/place-order/${id}`)) as Batch;
      replyMs.push(performance.now() - begunMs);
      while (!ENDED.includes(batch.status)) {
        await pause(POLL_MS);
        batch = (await call('GET', `/arbitrage/batches/${batch.id}`)) as Batch;
      }
      if (batch.status !== 'completed') say(`  batch ${nth + 1} ended as ${batch.status}`);
    });
    const [first, last] = [arrived[0], arrived.at(-1)];
    if (first !== undefined && last !== undefined) apartMs.push(Number(last - first) / 1e6);
    requests += arrived.length;
  }
  const floor = { figure: SLOW_MS, of: 'one answer of the venue' };
  const question = `batch of ${SETS.positions}, venue ${SLOW_MS} ms slow`;
  tell({
    question: `${question}: its orders leave within, at most`,
    figure: Math.max(...apartMs),
    unit: 'ms',
    budget: { atMost: APART_MS_MAX },
  });
  tell({
    question: `${question}: reply to placing, at most`,
    figure: Math.max(...replyMs),
    unit: 'ms',
    budget: { atMost: REPLY_MS_MAX },
    floor,
  });
  say(`  ${BATCHES} batches in ${requests} requests, reply in the median ${median(replyMs).toFixed(0)} ms`);
}
