// How long from the frame that triggers to the signed orders on the wire, the commit of the attempt included: the whole
// product against the simulated exchange, which notes when the frame left and when the orders arrived; alone, and while
// 20 clients ask for lists and 50 live streams are told of every change. Budget: p50 1.5 times of what parsing, signing
// and one loopback call take alone, p99 15 ms (25 ms while others are busy).
//
//     node_modules/.bin/node bench/trigger-to-wire.ts [triggers]
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { priceFromText } from '@dutchbook/units/price.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import { POLYMARKET_DEFAULTS } from '@dutchbook/venues/polymarket/config.ts';
import { openPolymarket } from '@dutchbook/venues/polymarket/polymarket.ts';
import type { Exchange } from './exchange/exchange.ts';
import { openSets } from './exchange/sets.ts';
import { CHEAP, PAIRS, pairsThatBuy, trigger } from './exchange/triggering.ts';
import { loadUntilStopped } from './http-load.ts';
import { quantile, say, tell } from './rows.ts';
import type { TabsPlan } from './tabs/tabs-thread.ts';
import { openTradingProduct } from './trading-product.ts';

const TRIGGERS = Number(process.argv[2] ?? 50);
const FLOOR_TIMES = 1.5;
const P99_MS_MAX = 15;
const P99_MS_MAX_BUSY = 25;
/** Before a batch is looked for again: its fills have been read, and it has ended. */
const NOTICED_MS = 2500;
const CLIENTS = { connections: 20, perSecond: 100, warmUpMs: 500 };
const STREAMS = 50;

await measure();
// What the streams listened to is kept for a minute after they have left, which would hold the process.
process.exit();

async function measure(): Promise<void> {
  await using product = await openTradingProduct();
  const { exchange, authorization, url, api } = product;
  const opened = await openSets(api, authorization, exchange, PAIRS);
  await pause(NOTICED_MS);
  const floorMs = await measureFloor(exchange);
  const pairs = await pairsThatBuy(exchange, opened);
  tellRow('alone', await trigger(exchange, pairs, TRIGGERS), floorMs, P99_MS_MAX);
  const busy = await openBusiness(url, authorization);
  tellRow(`20 clients and 50 streams busy`, await trigger(exchange, pairs, TRIGGERS), floorMs, P99_MS_MAX_BUSY);
  await busy.stop();
}

function tellRow(how: string, tookMs: readonly number[], floorMs: number, p99Max: number): void {
  const question = `trigger to wire, ${how}`;
  const floor = { figure: floorMs, of: 'parse, sign two orders, one loopback call' };
  const budget = { atMost: floorMs * FLOOR_TIMES };
  tell({ question: `${question}: p50`, figure: quantile(tookMs, 0.5), unit: 'ms', budget, floor });
  tell({
    question: `${question}: p99`,
    figure: quantile(tookMs, 0.99),
    unit: 'ms',
    budget: { atMost: p99Max },
    floor: null,
  });
}

/** What of it cannot be done faster: parsing a frame, signing both orders at once, and a call that reaches the exchange. */
async function measureFloor(exchange: Exchange): Promise<number> {
  const runtime = {
    now: () => instantFromMs(Date.now()),
    random: Math.random,
    log: { info: () => {}, warn: () => {} },
  };
  const venue = await openPolymarket(
    {
      ...POLYMARKET_DEFAULTS,
      clobUrl: exchange.url,
      gammaUrl: `${exchange.url}/gamma`,
      wsUrl: `${exchange.url.replace('http', 'ws')}/ws`,
      privateKey: `0x${'42'.repeat(32)}`,
    },
    runtime,
  );
  const { data } = await venue.catalogue.searchMarkets({ skip: 0, limit: 1 });
  const [market] = data;
  const { trading } = venue;
  if (market === undefined || trading === null) throw new Error('there is nothing to sign');
  const frame = JSON.stringify({
    event_type: 'price_change',
    price_changes: [{ price: '0.35', size: '100', side: 'SELL' }],
  });
  const order = {
    market,
    side: 'buy',
    price: priceFromText(CHEAP),
    size: sharesFromText('10'),
    remainder: 'rest',
  } as const;
  const agent = new Agent({ keepAlive: true });
  const tookMs: number[] = [];
  for (let nth = 0; nth < 60; nth += 1) {
    const tokenId = market.outcomes[0]?.tokenId ?? '';
    let begunNs = 0n;
    const found = await exchange.until('/floor', async () => {
      begunNs = process.hrtime.bigint();
      JSON.parse(frame);
      const signed = await Promise.all([order, order].map((one) => trading.signOrder({ ...one, tokenId })));
      request(`${exchange.url}/floor`, { method: 'POST', agent }, (answer) => answer.resume()).end(
        JSON.stringify(signed),
      );
    });
    if (found !== null) tookMs.push(Number(found.postedNs - begunNs) / 1e6);
    await pause(10);
  }
  agent.destroy();
  await venue.close();
  return quantile(tookMs.slice(10), 0.5);
}

/** Clients that ask for lists, and tabs that listen, until it is stopped. */
async function openBusiness(url: string, authorization: string): Promise<{ stop: () => Promise<void> }> {
  const plan: TabsPlan = {
    url: `${url.replace('http', 'ws')}/api/v1/stream`,
    token: authorization.replace('Bearer ', ''),
    tabs: STREAMS,
  };
  const tabs = new Worker(new URL('./tabs/tabs-thread.ts', import.meta.url), { workerData: plan });
  await once(tabs, 'message');
  const page = `${url}/api/v1/arbitrage/opportunities?limit=10`;
  const asking = loadUntilStopped({ url: page, authorization, ...CLIENTS });
  await pause(1000);
  return {
    stop: async () => {
      const { perSecond, p99Ms } = await asking.stop();
      say(`  meanwhile ${perSecond.toFixed(0)} lists/s, p99 ${p99Ms.toFixed(0)} ms`);
      await tabs.terminate();
    },
  };
}
