// How long from the frame that triggers to the signed orders on the wire, the commit of the attempt included: the whole
// product against the simulated exchange, which notes when the frame left and when the orders arrived. Budget: p50 1.5 times, p90 3 times of what parsing a
// frame, two signatures, one commit that waits for the disk and one call take one after the other in the same run. By short turns the
// size is what Best chooses. Budget: 1.05 times what it takes with Smallest, as the median of all pairs of turns: a load that comes and
// goes meets both turns of a pair.
//
//     node_modules/.bin/node bench/trigger-to-wire.ts
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { priceFromText } from '@dutchbook/units/price.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import { POLYMARKET_DEFAULTS } from '@dutchbook/venues/polymarket/config.ts';
import { openPolymarket } from '@dutchbook/venues/polymarket/polymarket.ts';
import { Client } from 'pg';
import { callerOf } from './calls.ts';
import type { Exchange } from './exchange/exchange.ts';
import { openSets } from './exchange/sets.ts';
import { CHEAP, PAIRS, pairsThatBuy, trigger } from './exchange/triggering.ts';
import { median, quantile, say, tell } from './rows.ts';
import { openTradingProduct } from './trading-product.ts';

/** Pairs of turns, one of each policy. */
const PAIRS_OF_TURNS = 24;
const TURN = 5;
/** Wait after a change of the policy, until every opportunity has been repriced. */
const CHANGED_MS = 250;
/** Wait until a batch's fills have been read and it has ended. */
const NOTICED_MS = 2500;

await measure();
// Streams keep their topics for a minute, which would keep the process alive.
process.exit();

async function measure(): Promise<void> {
  await using product = await openTradingProduct();
  const { exchange, authorization, api } = product;
  const opened = await openSets(api, authorization, exchange, PAIRS);
  await pause(NOTICED_MS);
  await using database = await openClient();
  const floorMs = await measureFloor(exchange, database);
  const pairs = await pairsThatBuy(exchange, opened);
  const call = callerOf(api, authorization);
  const turnOf = async (policy: 'smallest' | 'best') => {
    await call('PUT', '/system-settings/', { SIZE_POLICY: policy });
    await pause(CHANGED_MS);
    return await trigger(exchange, pairs, TURN);
  };
  const smallest: number[] = [];
  const ratios: number[] = [];
  for (let pair = 0; pair < PAIRS_OF_TURNS; pair += 1) {
    // Policies alternate in going first.
    const isBestFirst = pair % 2 === 1;
    const before = isBestFirst ? await turnOf('best') : [];
    const ofSmallest = await turnOf('smallest');
    const ofBest = isBestFirst ? before : await turnOf('best');
    smallest.push(...ofSmallest);
    ratios.push(median(ofBest) / median(ofSmallest));
  }
  const floor = { figure: floorMs, of: 'parse, sign two orders, one commit, one loopback call' };
  for (const [share, floorTimes] of [
    [0.5, 1.5],
    [0.9, 3],
  ] as const) {
    const figure = quantile(smallest, share);
    tell({ question: `trigger to wire: p${share * 100}`, figure, unit: 'ms', budget: { floorTimes }, floor });
  }
  const question = 'trigger to wire with Best: of what it takes with Smallest, median of pairs of turns';
  tell({ question, figure: median(ratios), unit: 'times', budget: { atMost: 1.05 } });
  say(`  ${ratios.length} pairs, from ${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)} times`);
}

/** A connection of its own to the server that the product's database is on. */
async function openClient(): Promise<Client & AsyncDisposable> {
  const client = new Client({ connectionString: process.env.TEST_DATABASE_URL });
  await client.connect();
  await client.query('create table if not exists wire_floor (n integer)');
  return Object.assign(client, {
    [Symbol.asyncDispose]: async () => {
      await client.query('drop table wire_floor');
      await client.end();
    },
  });
}

/** Measures the floor: parsing a frame, signing both orders, a commit, and a call to the exchange. */
async function measureFloor(exchange: Exchange, database: Client): Promise<number> {
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
      await database.query({ name: 'floor', text: 'insert into wire_floor values ($1)', values: [nth] });
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
