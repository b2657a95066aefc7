/** Two real venues, each with a key: the addresses of both lead to the simulated exchange, and the product does not know. */
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ARM_CONFIRMATION, armTrading, disarmTrading } from '@dutchbook/contract/arming.ts';
import { readBatch } from '@dutchbook/contract/batches.ts';
import { writeLimits } from '@dutchbook/contract/limits.ts';
import { placeOrder } from '@dutchbook/contract/placing.ts';
import { confirmAuthenticator, proveSecondFactor, startAuthenticator } from '@dutchbook/contract/second-factor.ts';
import { readSystemStatus } from '@dutchbook/contract/status.ts';
import { sharesFromNumber } from '@dutchbook/units/shares.ts';
import { KalshiControl } from '@dutchbook/venues/kalshi/kalshi-bench.fixture.ts';
import { Secret, TOTP } from 'otpauth';
import { expect, it } from 'vitest';
import { eventually } from '../product/eventually.ts';
import { startExchange } from '../product/exchange.ts';
import { kalshiControls, kalshiEnv } from '../product/kalshi-controls.ts';
import { type Caller, SUPERUSER, startProduct } from '../product/product.ts';
import { cheapThreeWay } from '../product/three-way.ts';

const KEY_ID = 'key-of-the-desk';
const LIMITS = { per_order_usd: 50, per_batch_usd: 100, per_day_usd: 500, open_exposure_usd: 500 };

/** As a person does before arming what takes money. */
async function proveBeing(caller: Caller): Promise<void> {
  const { reply } = await caller.call(startAuthenticator, { body: { password: SUPERUSER.password } });
  const code = new TOTP({ secret: Secret.fromBase32(reply.secret) }).generate();
  const confirmed = await caller.call(confirmAuthenticator, { body: { code } });
  const [recovery] = confirmed.reply.recovery_codes;
  expect((await caller.call(proveSecondFactor, { body: { code: recovery } })).status).toBe(200);
}

it('a real venue with a key is disarmed at first, wants its limits, and takes the orders of the desk once it is armed', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'dutchbook-real-'));
  const exchange = await startExchange();
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const [public_key, KALSHI_PRIVATE_KEY] = [
    publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  ];
  await new KalshiControl(exchange.url).call('keys', { key_id: KEY_ID, public_key, scopes: ['read', 'write::trade'] });
  const product = await startProduct(exchange.url, dataDir, {
    ...{ VENUE: 'polymarket,kalshi', ...kalshiEnv(exchange.url), KALSHI_KEY_ID: KEY_ID, KALSHI_PRIVATE_KEY },
    ...{ POLYMARKET_PRIVATE_KEY: `0x${'42'.repeat(32)}`, POLYMARKET_DATA_URL: `${exchange.url}/data-api` },
  });
  try {
    const atKalshi = kalshiControls(exchange.url);
    const sets = {
      kalshi: await cheapThreeWay(atKalshi, product, 0, undefined, 'kalshi'),
      polymarket: await cheapThreeWay(exchange, product),
    };
    const place = (venue: keyof typeof sets) =>
      product.call(placeOrder, {
        params: { opportunity_id: sets[venue].opportunityId },
        query: { order_size: sharesFromNumber(10) },
      });
    const armed = async () => {
      const { reply } = await product.call(readSystemStatus, {});
      return [reply.venue, ...(reply.venues ?? []).map((each) => `${each.venue} ${each.armed}`)];
    };
    expect(await armed()).toEqual(['several_live', 'polymarket false', 'kalshi false']);
    const arm = () =>
      product.call(armTrading, { query: { venue: 'kalshi' }, body: { confirmation: ARM_CONFIRMATION } });
    const detail = 'Set up a second factor under Settings before you arm a real venue.';
    expect(await arm()).toMatchObject({ status: 409, detail });
    await proveBeing(product);
    expect(await arm()).toMatchObject({ status: 409, detail: expect.stringMatching(/^Set the limit per order/) });
    expect((await product.call(writeLimits, { query: { venue: 'kalshi' }, body: LIMITS })).status).toBe(200);
    expect((await arm()).status).toBe(200);
    expect(await armed()).toEqual(['several_live', 'polymarket false', 'kalshi true']);

    const placed = await eventually('books and cash are known', async () => {
      const answer = await place('kalshi');
      return answer.status === 200 ? answer.reply : null;
    });
    const batch = await eventually('the batch has ended', async () => {
      const { reply } = await product.call(readBatch, { params: { batch_id: placed.id } });
      return reply.is_active ? null : reply;
    });
    expect(batch).toMatchObject({ status: 'completed', simulated: false });
    expect(await atKalshi.state()).toMatchObject({ orders: { length: 3 }, trades: { length: 3 } });

    expect(await place('polymarket')).toMatchObject({ status: 409, detail: expect.stringMatching(/disarmed/i) });
    expect((await product.call(disarmTrading, { query: {} })).status).toBe(200);
    expect(await place('kalshi')).toMatchObject({ status: 409, detail: expect.stringMatching(/disarmed/i) });
    expect([(await atKalshi.state()).orders.length, (await exchange.state()).orders.length]).toEqual([3, 0]);
  } finally {
    product.running.kill('SIGTERM');
    await product.running.ended;
    await exchange.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
});
