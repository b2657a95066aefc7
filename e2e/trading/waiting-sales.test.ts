/** Sales that wait in the book of the simulated exchange, with a real server and a database that goes away. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readLedgerBalances } from '@dutchbook/contract/ledger.ts';
import type { Order } from '@dutchbook/contract/orders.ts';
import { placeOrder } from '@dutchbook/contract/placing.ts';
import { readPortfolio } from '@dutchbook/contract/portfolio.ts';
import { cancelOrder, sellOrder } from '@dutchbook/contract/selling.ts';
import { writeSystemSettings } from '@dutchbook/contract/system-settings.ts';
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { priceFromText } from '@dutchbook/units/price.ts';
import { type Shares, sharesFromText } from '@dutchbook/units/shares.ts';
import { usdFromText } from '@dutchbook/units/usd.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../product/eventually.ts';
import { type RunningExchange, startExchange } from '../product/exchange.ts';
import { launchProduct, type Product, signedInProduct } from '../product/product.ts';
import { CHEAP_ASK, cheapThreeWay, LOW_BID, type ThreeWay } from '../product/three-way.ts';
import { type OwnPostgres, startOwnPostgres } from './own-postgres.fixture.ts';
import { batchAtRest, type Desk, expectTruth, ordersOf } from './venue-truth.fixture.ts';

const SIZE = sharesFromText('12');
/** Above the bids, and below what is asked. */
const PRICE = priceFromText('0.24');

let folder: string;
let exchange: RunningExchange;
let postgres: OwnPostgres;
let product: Product;
let nth = 0;
const desk: Desk = {
  get exchange() {
    return exchange;
  },
  product: () => product,
};

const launch = () =>
  signedInProduct(launchProduct(exchange.url, join(folder, 'product'), { DATABASE_URL: postgres.url }));

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dutchbook-waiting-'));
  // The database runs as another user of the machine.
  await chmod(folder, 0o711);
  [exchange, postgres] = await Promise.all([startExchange(), startOwnPostgres(join(folder, 'postgres'))]);
  product = await launch();
  const body = { AUTO_PLACE_ORDER_ENABLED: false };
  expect((await product.call(writeSystemSettings, { body })).status).toBe(200);
});

afterAll(async () => {
  product.running.kill('SIGKILL');
  await product.running.ended;
  await exchange.stop();
  await postgres.remove();
  await rm(folder, { recursive: true });
});

/** A batch that holds `SIZE` sets, and a sale of its first leg that waits. */
async function openWaiting(until?: Instant) {
  const set = await cheapThreeWay(exchange, product, nth++);
  const params = { opportunity_id: set.opportunityId };
  expect(await product.call(placeOrder, { params, query: { order_size: SIZE } })).toMatchObject({ status: 200 });
  await batchAtRest(desk, set);
  const [tokenId = ''] = set.tokenIds;
  const sale = await eventually('the shares are settled and wait', async () => {
    const bought = (await ordersOf(desk, params)).find((order) => order.token_id === tokenId);
    const query = { wait: true, sell_price: PRICE, ...(until === undefined ? {} : { wait_until: until }) };
    const { status, detail, reply } = await product.call(sellOrder, { params: { order_id: bought?.id ?? '' }, query });
    if (status !== 200) throw new Error(detail);
    return reply;
  });
  const now = async () => {
    const found = (await ordersOf(desk, params)).find(({ id }) => id === sale.id);
    if (found === undefined) throw new Error('the sale is gone');
    return found;
  };
  const when = (what: string, such: (order: Order) => boolean) =>
    eventually(what, async () => {
      const order = await now();
      return such(order) ? order : null;
    });
  const resting = async () =>
    (await exchange.state()).orders.filter(
      ({ asset_id, side, status }) => asset_id === tokenId && side === 'SELL' && status === 'LIVE',
    );
  /** The makers come up to the price for so many shares, and go back. */
  const take = async (size: string) => {
    await exchange.setBook(tokenId, [{ price: '0.24', size }], [CHEAP_ASK]);
    await exchange.setBook(tokenId, [LOW_BID], [CHEAP_ASK]);
  };
  const cancel = () => product.call(cancelOrder, { params: { order_id: sale.id } });
  return { set, tokenId, sale, now, when, resting, take, cancel };
}

const filled = (size: string) => (order: Order) => order.filled_size === sharesFromText(size);

/** Orders, ledger and portfolio say what the exchange says: so many shares are left of the token, so many of them in the sale. */
async function expectBooks(set: ThreeWay, tokenId: string, left: string, inSale: string): Promise<void> {
  await expectTruth(desk, set);
  const { account } = await exchange.state();
  expect(sharesFromText(account.tokens[tokenId] ?? '0')).toBe(sharesFromText(left));
  const holding = async () =>
    (await product.call(readPortfolio)).reply.holdings.find(({ token_id }) => token_id === tokenId);
  const shares = { shares: sharesFromText(left), in_sale_shares: sharesFromText(inSale), external_shares: 0 as Shares };
  await eventually('the portfolio has them', async () => {
    const expected = left === '0' ? undefined : expect.objectContaining({ ...shares, venue_shares: shares.shares });
    expect(await holding()).toEqual(expected);
    return true;
  });
  await eventually('the ledger has the cash of the venue', async () => {
    const { accounts } = (await product.call(readLedgerBalances)).reply;
    const cash = accounts.find(({ account, unit }) => account.startsWith('cash') && unit === 'usd');
    expect(usdFromText(cash?.amount ?? '0')).toBe(usdFromText((await exchange.state()).account.usd));
    return true;
  });
}

it('a sale that waits is filled in part, then whole', async () => {
  const { set, tokenId, sale, when, resting, take } = await openWaiting();
  expect(sale).toMatchObject({ status: 'open', waiting: { until: null, cancel_requested_at: null } });
  expect(await resting()).toMatchObject([{ price: '0.24', original_size: '12', order_type: 'GTC' }]);
  await expectBooks(set, tokenId, '12', '12');
  await take('5');
  await when('a part is sold', filled('5'));
  await expectBooks(set, tokenId, '7', '7');
  await take('7');
  expect(await when('the rest is sold', filled('12'))).toMatchObject({ status: 'filled', average_price: PRICE });
  await expectBooks(set, tokenId, '0', '0');
});

it('is canceled as soon as the database is back, with what it sold meanwhile', async () => {
  const { set, tokenId, when, resting, take, cancel } = await openWaiting();
  await postgres.stopAtOnce();
  expect(await cancel()).toMatchObject({
    status: 503,
    detail: expect.stringMatching(/^The database does not answer/),
  });
  await take('5');
  expect(await resting()).toHaveLength(1);
  await postgres.start();
  const canceled = await eventually('it is canceled', async () => {
    const answer = await cancel();
    return answer.status === 503 ? null : answer;
  });
  expect(canceled).toMatchObject({ status: 200, reply: { waiting: { cancel_reason: 'canceled' } } });
  await eventually('it is off the book', async () => ((await resting()).length === 0 ? true : null));
  await when('what was sold is booked', filled('5'));
  await expectBooks(set, tokenId, '7', '0');
});

it('is filled while its server is dead, and the next one carries on', async () => {
  const { set, tokenId, sale, now, when, resting, take } = await openWaiting();
  product.running.kill('SIGKILL');
  await product.running.ended;
  await take('5');
  product = await launch();
  await when('what was sold meanwhile is booked', filled('5'));
  if ((await resting()).length > 0) {
    await expectBooks(set, tokenId, '7', '7');
    await take('7');
    await when('the rest is sold', filled('12'));
    await expectBooks(set, tokenId, '0', '0');
  }
  expect((await now()).attempts).toBe(1);
  expect(sale.attempts).toBe(1);
});

it('is taken off at its time by the venue', async () => {
  const until = instantFromMs(Date.now() + 6 * 60_000);
  const { set, tokenId, when, resting, take } = await openWaiting(until);
  await take('5');
  await when('a part is sold', filled('5'));
  await exchange.advanceClock(6 * 60_000);
  await eventually('it has ended', async () => ((await resting()).length === 0 ? true : null));
  await expectBooks(set, tokenId, '7', '0');
});
