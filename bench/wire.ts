// How long from the frame that triggers to the signed orders on the wire, the commit of the attempt included: the whole product
// against the simulated exchange, which notes when the frame left and when the orders arrived. Budget: p50 1.5 times, p90 3 times of
// what parsing a frame, two signatures, one commit that waits for the disk and one call take one after the other in the same run. By
// short turns the size is what Best chooses. Budget: 1.05 times what it takes with Smallest, as the median of all pairs of turns: a
// load that comes and goes meets both turns of a pair.
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { priceFromText } from '@dutchbook/units/price.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import { POLYMARKET_DEFAULTS } from '@dutchbook/venues/polymarket/config.ts';
import { openPolymarket } from '@dutchbook/venues/polymarket/polymarket.ts';
import { type Exchange, type OpenSet, openSets, openSimulatedExchange } from './exchange.ts';
import { connect, type Database, openProduct, timed } from './product.ts';
import { median, quantile, say, tell } from './rows.ts';

/** An ask too expensive to trigger. */
const DEAR = '0.6';
const CHEAP = '0.35';
const PAIRS = { sets: 20, positions: 2, ask: DEAR, targetPrice: 1 };
const BETWEEN_MS = 60;
/** Pairs of turns, one of each policy. */
const PAIRS_OF_TURNS = 24;
const TURN = 5;
/** Wait after a change of the policy, until every opportunity has been repriced. */
const CHANGED_MS = 250;
/** Wait until a batch's fills have been read and it has ended. */
const NOTICED_MS = 2500;
const FLOOR_TRIES = 60;
const FLOOR_WARM_UP = 10;

await using exchange = await openSimulatedExchange();
await using product = await openProduct(exchange.variables);
const { call, database } = product;
const opened = await openSets(call, exchange, PAIRS);
await pause(NOTICED_MS);
const floorMs = await measureFloor(exchange, database);
const pairs = await pairsThatBuy(opened);
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

/** Triggers pairs in turn. @returns milliseconds from frame to orders, for each that bought */
async function turnOf(policy: 'smallest' | 'best'): Promise<number[]> {
  await call('PUT', '/system-settings/', { SIZE_POLICY: policy });
  await pause(CHANGED_MS);
  const tookMs: number[] = [];
  for (let nth = 0; nth < TURN; nth += 1) tookMs.push(...(await trigger(pairs[nth % pairs.length])));
  if (tookMs.length < TURN) say(`  ${TURN - tookMs.length} of ${TURN} triggers bought nothing`);
  return tookMs;
}

/** None where nothing was bought. */
async function trigger(pair: OpenSet | undefined): Promise<number[]> {
  const tokenId = pair?.tokenIds[0] ?? '';
  const tookMs = await exchange.msToOrders(tokenId, CHEAP);
  await exchange.setBook(tokenId, DEAR);
  await pause(BETWEEN_MS);
  return tookMs === null ? [] : [tookMs];
}

/**
 * Triggers each pair once, as a warm-up, and returns those that buy. One pair never does: its event has an outcome that no market
 * lists, so that a person has to decide.
 */
async function pairsThatBuy(all: readonly OpenSet[]): Promise<OpenSet[]> {
  const buying: OpenSet[] = [];
  for (const pair of all) if ((await trigger(pair)).length > 0) buying.push(pair);
  if (buying.length < all.length) say(`  ${all.length - buying.length} of ${all.length} pairs buy nothing`);
  return buying;
}

/** In ms: parsing a frame, two signatures, one commit, one call, one after the other. */
async function measureFloor({ app, url }: Exchange, database: Database): Promise<number> {
  await using client = await connect(database);
  await client.query('create table wire_floor (n integer)');
  const runtime = {
    now: () => instantFromMs(Date.now()),
    random: Math.random,
    log: { info: () => {}, warn: () => {} },
  };
  const addresses = { clobUrl: url, gammaUrl: `${url}/gamma`, wsUrl: `${url.replace('http', 'ws')}/ws` };
  const config = { ...POLYMARKET_DEFAULTS, ...addresses, privateKey: `0x${'42'.repeat(32)}` } as const;
  const venue = await openPolymarket(config, runtime);
  const [market] = (await venue.catalogue.searchMarkets({ skip: 0, limit: 1 })).data;
  const { trading } = venue;
  if (market === undefined || trading === null) throw new Error('there is nothing to sign');
  const change = { price: '0.35', size: '100', side: 'SELL' };
  const frame = JSON.stringify({ event_type: 'price_change', price_changes: [change] });
  const tokenId = market.outcomes[0]?.tokenId ?? '';
  const order = { market, tokenId, side: 'buy', price: priceFromText(CHEAP), size: sharesFromText('10') } as const;
  const agent = new Agent({ keepAlive: true });
  const call = (body: string) =>
    new Promise<void>((resolve) => {
      app.server.once('request', () => resolve());
      request(`${url}/floor`, { method: 'POST', agent }, (answer) => answer.resume()).end(body);
    });
  const tookMs: number[] = [];
  for (let nth = 0; nth < FLOOR_TRIES; nth += 1, await pause(BETWEEN_MS))
    tookMs.push(
      await timed(async () => {
        JSON.parse(frame);
        const signed = await Promise.all(
          [order, order].map((one) => trading.signOrder({ ...one, remainder: 'rest' as const })),
        );
        await client.query({ name: 'floor', text: 'insert into wire_floor values ($1)', values: [nth] });
        await call(JSON.stringify(signed));
      }),
    );
  agent.destroy();
  await venue.close();
  return median(tookMs.slice(FLOOR_WARM_UP));
}
