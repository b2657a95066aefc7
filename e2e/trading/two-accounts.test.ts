/** Two accounts of the simulated exchange, each as a venue of its own: one product trades on both, over a restart. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ARM_CONFIRMATION, armTrading, disarmTrading } from '@dutchbook/contract/arming.ts';
import { readBatch } from '@dutchbook/contract/batches.ts';
import { listExternalOrders } from '@dutchbook/contract/external-orders.ts';
import { writeDeskLimits } from '@dutchbook/contract/limits.ts';
import { createOpportunity } from '@dutchbook/contract/opportunities.ts';
import { placeOrder } from '@dutchbook/contract/placing.ts';
import { readOverview, readSystemStatus } from '@dutchbook/contract/status.ts';
import { readConfig } from '@dutchbook/server/platform/config/config.ts';
import { type OpenVenues, start } from '@dutchbook/server/start.ts';
import { idAt, type VenueName, withoutVenue } from '@dutchbook/units/ids.ts';
import { sharesFromNumber } from '@dutchbook/units/shares.ts';
import { usdFromText } from '@dutchbook/units/usd.ts';
import { POLYMARKET_DEFAULTS } from '@dutchbook/venues/polymarket/config.ts';
import { openPolymarket } from '@dutchbook/venues/polymarket/polymarket.ts';
import { prefixed } from '@dutchbook/venues/prefixed-venue.fixture.ts';
import { expect, it } from 'vitest';
import { eventually } from '../product/eventually.ts';
import { type RunningExchange, startExchange } from '../product/exchange.ts';
import { type Caller, SUPERUSER, signedInCaller } from '../product/product.ts';
import { cheapThreeWay } from '../product/three-way.ts';

const KEYS = { polymarket: `0x${'42'.repeat(32)}`, kalshi: `0x${'43'.repeat(32)}` } as const;
/** What the exchange calls their accounts. */
const ADDRESSES = {
  polymarket: '0x17c5185167401eD00cF5F5b2fc97D9BBfDb7D025',
  kalshi: '0x5975c152fE58cDcB7E25586A3c9b994A16dbB615',
} as const;
const CASH = { polymarket: '100', kalshi: '60' } as const;
const NAMES = ['polymarket', 'kalshi'] as const;

/** Both keys at one exchange; the second one's ids are written as another venue's. */
const VENUES: OpenVenues = [
  { name: 'polymarket', open: (runtime) => opened(runtime, 'polymarket') },
  { name: 'kalshi', open: async (runtime) => prefixed('kalshi', await opened(runtime, 'kalshi')) },
];

function opened(
  { config, clock, random, log }: Parameters<(typeof VENUES)[0]['open']>[0],
  name: (typeof NAMES)[number],
) {
  const access = { ...POLYMARKET_DEFAULTS, ...config.polymarket, privateKey: KEYS[name] };
  return openPolymarket(access, { now: clock.now, random: random.fraction, log });
}

async function startProcess(exchange: RunningExchange, dataDir: string) {
  const config = readConfig({
    ...{ PORT: '0', DATA_DIR: dataDir, VENUE: 'simulated', DISCOVERY: 'off', RECORDING: 'off', LOG_LEVEL: 'silent' },
    ...{ RATE_LIMIT: 'off', API_DOCUMENT: 'when_asked', FIRST_SIZE_POLICY: 'smallest' },
    FIRST_SUPERUSER: SUPERUSER.username,
    FIRST_SUPERUSER_PASSWORD: SUPERUSER.password,
    POLYMARKET_CLOB_URL: exchange.url,
    POLYMARKET_GAMMA_URL: `${exchange.url}/gamma`,
    POLYMARKET_WS_URL: `${exchange.url.replace('http', 'ws')}/ws`,
  });
  const running = await start(config, () => {}, VENUES);
  return { running, caller: await signedInCaller(running.url, SUPERUSER) };
}

const placing = (opportunityId: string, size: number) => ({
  params: { opportunity_id: opportunityId },
  query: { order_size: sharesFromNumber(size) },
});

async function bought(caller: Caller, opportunityId: string, size: number) {
  const { status, detail, reply } = await caller.call(placeOrder, placing(opportunityId, size));
  expect([status, detail]).toEqual([200, '']);
  const batch = await eventually('the batch has ended', async () => {
    const { reply: found } = await caller.call(readBatch, { params: { batch_id: reply.id } });
    return found.is_active ? null : found;
  });
  expect(batch.status).toBe('completed');
  return batch;
}

async function refusalOf(caller: Caller, opportunityId: string, size: number): Promise<string> {
  const { status, detail } = await caller.call(placeOrder, placing(opportunityId, size));
  expect(status).toBe(409);
  return detail;
}

const armedAt = async (caller: Caller) =>
  (await caller.call(readSystemStatus, {})).reply.venues?.map(({ venue, armed }) => [venue, armed]);

it('two accounts trade beside one another and see nothing of each other, also after a restart', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'dutchbook-accounts-'));
  const exchange = await startExchange();
  let { running, caller } = await startProcess(exchange, dataDir);
  try {
    for (const name of NAMES) await exchange.setCash(CASH[name], ADDRESSES[name]);
    const set = await cheapThreeWay(exchange, caller);
    const market_combinations = set.combinations.map(({ leg, markets }) => ({
      leg,
      markets: markets.map(({ id, outcome }) => ({ id: idAt('kalshi', id), outcome })),
    }));
    const created = await caller.call(createOpportunity, { body: { market_combinations, target_price: 1 } });
    expect([created.status, created.detail]).toEqual([200, '']);
    const sets: Record<(typeof NAMES)[number], string> = { polymarket: set.opportunityId, kalshi: created.reply.id };
    const ofAccount = async (name: VenueName) => {
      const { orders, trades } = await exchange.state();
      const owners = [...new Set(orders.map(({ owner }) => owner))];
      const owner = owners[NAMES.indexOf(name as 'kalshi')];
      const own = orders.filter((order) => order.owner === owner).map(({ id }) => id);
      return { orders: own, trades: trades.filter(({ order_id }) => own.includes(order_id)).length };
    };

    await eventually('the cash of both is read', async () => {
      const { reply } = await caller.call(readOverview, { query: {} });
      return reply.cash_usd === usdFromText('160') ? true : null;
    });
    expect(await refusalOf(caller, sets.kalshi, 100)).toMatch(/cash|balance/i);
    const batches = {
      polymarket: await bought(caller, sets.polymarket, 100),
      kalshi: await bought(caller, sets.kalshi, 40),
    };
    for (const name of NAMES) expect(await ofAccount(name)).toMatchObject({ orders: { length: 3 }, trades: 3 });
    expect(await refusalOf(caller, sets.polymarket, 60)).toMatch(/cash|balance/i);

    const [tokenId = ''] = set.tokenIds;
    const outside = await exchange.buyOutside(tokenId, '0.1', '10', ADDRESSES.kalshi);
    const external = async () => {
      const { reply } = await caller.call(listExternalOrders, { query: { skip: 0, limit: 10 } });
      return reply.data.map(({ order_hash, token_id, ended_at }) => ({ order_hash, token_id, ended_at }));
    };
    const seen = [{ order_hash: idAt('kalshi', outside.id), token_id: idAt('kalshi', tokenId), ended_at: null }];
    await eventually('the external order is seen', async () => ((await external()).length > 0 ? true : null));
    expect(await external()).toEqual(seen);

    await eventually('prices of both arrive', async () => {
      const { venues = [] } = (await caller.call(readSystemStatus, {})).reply;
      return venues.filter(({ feed }) => feed === 'live').length === 2 ? true : null;
    });
    await caller.call(disarmTrading, { query: { venue: 'kalshi' } });
    await caller.call(writeDeskLimits, { body: { per_day_usd: 50 } });
    expect(await refusalOf(caller, sets.polymarket, 20)).toMatch(
      /today is \$124\.50, the limit of the whole desk is \$50\.00/,
    );
    await caller.call(writeDeskLimits, { body: { per_day_usd: null } });
    await running.stop();
    ({ running, caller } = await startProcess(exchange, dataDir));
    expect(await armedAt(caller)).toEqual([
      ['polymarket', true],
      ['kalshi', false],
    ]);
    expect(await refusalOf(caller, sets.kalshi, 20)).toMatch(/disarmed/i);
    await eventually('the books of the desk are known again', async () =>
      (await caller.call(placeOrder, placing(sets.polymarket, 20))).status === 200 ? true : null,
    );
    await eventually('its orders are filled', async () => ((await ofAccount('polymarket')).trades === 6 ? true : null));
    expect(await ofAccount('kalshi')).toMatchObject({ orders: { length: 4 }, trades: 3 });
    // A venue takes its orders out of the book when a desk is away for too long.
    expect(await external()).toMatchObject(seen.map(({ order_hash, token_id }) => ({ order_hash, token_id })));
    for (const name of NAMES) {
      const { reply } = await caller.call(readBatch, { params: { batch_id: batches[name].id } });
      // Its trades settle meanwhile.
      expect(reply).toEqual({ ...batches[name], updated_at: reply.updated_at });
    }
    await caller.call(armTrading, { query: {}, body: { confirmation: ARM_CONFIRMATION } });
    expect((await armedAt(caller))?.map(([, armed]) => armed)).toEqual([true, true]);
    await eventually('it buys again', async () =>
      (await caller.call(placeOrder, placing(sets.kalshi, 20))).status === 200 ? true : null,
    );
    await eventually('its orders are filled', async () => ((await ofAccount('kalshi')).trades === 6 ? true : null));
    expect(new Set((await ofAccount('kalshi')).orders.map(withoutVenue)).size).toBe(7);
  } finally {
    await running.stop();
    await exchange.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
});
