/** Users who ask for as much as they may, at a venue that refuses accounts that read too often, while another user places. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { placeOrder, simulateOrders } from '@dutchbook/contract/placing.ts';
import { writeSystemSettings } from '@dutchbook/contract/system-settings.ts';
import { createUser } from '@dutchbook/contract/users.ts';
import { previewOpportunity } from '@dutchbook/contract/valuation.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RunningExchange, startExchange } from '../product/exchange.ts';
import { type LimitedVenue, limitReads } from '../product/limited-venue.ts';
import { type Caller, type Product, signedInCaller, startProduct } from '../product/product.ts';
import { cheapThreeWay, type ThreeWay } from '../product/three-way.ts';

/** As often as one of them may have the venue asked in a minute. */
const QUESTIONS = 240;
const PEOPLE = 2;
const PLACINGS = 7;

let exchange: RunningExchange;
let venue: LimitedVenue;
let dataDir: string;
let product: Product;
let sets: ThreeWay[];

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'dutchbook-hammered-'));
  exchange = await startExchange();
  venue = await limitReads(exchange.url);
  product = await startProduct(exchange.url, dataDir, {
    POLYMARKET_CLOB_URL: venue.url,
    POLYMARKET_GAMMA_URL: `${venue.url}/gamma`,
    RATE_LIMIT: 'on',
  });
  // Without streams every question that is asked of the product has the venue read.
  const settings = { AUTO_PLACE_ORDER_ENABLED: false, ENABLE_WEBSOCKET: false };
  expect((await product.call(writeSystemSettings, { body: settings })).status).toBe(200);
  sets = [];
  for (let nth = 0; nth < PLACINGS; nth += 1) sets.push(await cheapThreeWay(exchange, product, nth));
});

afterAll(async () => {
  product.running.kill('SIGKILL');
  await product.running.ended;
  await venue.close();
  await exchange.stop();
  await rm(dataDir, { recursive: true, force: true });
});

async function ordinaryUser(nth: number): Promise<Caller> {
  const credentials = { username: `reader-${nth}@example.com`, password: 'correct horse battery' };
  const body = { email: credentials.username, password: credentials.password, is_active: true };
  expect((await product.call(createUser, { body })).status).toBe(200);
  return await signedInCaller(product.url, credentials);
}

/** Of markets that were not asked about yet, so that what is known of others is no answer. */
function unknownMarkets(nth: string) {
  return [1, 2, 3].map((leg) => ({ leg, markets: [{ id: `0x${nth}${leg}`, outcome: 'Yes' }] }));
}

function question(reader: Caller, who: number, nth: number): Promise<{ status: number }> {
  const set = sets[nth % PLACINGS] as ThreeWay;
  if (nth % 4 === 0) return reader.call(simulateOrders, { params: { opportunity_id: set.opportunityId } });
  const market_combinations = unknownMarkets(`${who}${String(nth).padStart(4, '0')}`);
  return reader.call(previewOpportunity, { body: { market_combinations } });
}

it('seven placings are accepted while others ask for as much as they may, and the venue refuses nothing', async () => {
  const readers = await Promise.all(Array.from({ length: PEOPLE }, (_, nth) => ordinaryUser(nth)));
  const questions = readers.flatMap((reader, who) =>
    Array.from({ length: QUESTIONS }, (_, nth) => question(reader, who, nth)),
  );
  await Promise.race(questions);
  const placings = sets.map(({ opportunityId }) =>
    product.call(placeOrder, { params: { opportunity_id: opportunityId }, query: {} }),
  );
  expect((await Promise.all(placings)).map(({ status, detail }) => [status, detail])).toEqual(
    sets.map(() => [200, '']),
  );
  const answers = await Promise.all(questions);
  expect([200, 429, 503]).toEqual(expect.arrayContaining([...new Set(answers.map(({ status }) => status))]));
  expect(venue.refused).toEqual([]);
});
