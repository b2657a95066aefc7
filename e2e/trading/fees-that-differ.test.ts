/** A venue that charges another fee than it says, in both places in which it says one: found by the cash of the first batch. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clearFeeStop, listFeeStops } from '@dutchbook/contract/fee-stops.ts';
import { listNotifications } from '@dutchbook/contract/notifications.ts';
import { readOpportunity } from '@dutchbook/contract/opportunities.ts';
import { placeOrder, simulateOrders } from '@dutchbook/contract/placing.ts';
import { readOverview } from '@dutchbook/contract/status.ts';
import { sharesFromNumber } from '@dutchbook/units/shares.ts';
import { expect, it } from 'vitest';
import { eventually } from '../product/eventually.ts';
import { startExchange } from '../product/exchange.ts';
import { startProduct } from '../product/product.ts';
import { cheapThreeWay } from '../product/three-way.ts';

it('a fee that is not what the venue says stops automatic placing in its category until a superuser clears it', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'dutchbook-fees-'));
  const exchange = await startExchange();
  const product = await startProduct(exchange.url, dataDir);
  try {
    // Too cheap to be bought by itself: the three trades of the order below are the only ones.
    const set = await cheapThreeWay(exchange, product);
    const params = { opportunity_id: set.opportunityId };
    const [{ fee_rate: charged } = { fee_rate: null }] = set.markets;
    expect(charged).toBeGreaterThan(10_000);
    for (const { id } of set.markets)
      for (const source of ['gamma', 'clob'] as const) await exchange.lie(id, source, { fee_rate: '0.01' });
    const query = { order_size: sharesFromNumber(20) };
    // 20 × 0.01 × 0.25 × 0.75 of each of three.
    await eventually('the lie was read', async () => {
      const { reply } = await product.call(simulateOrders, { params, query });
      return reply.total_fees < 120_000 && reply.errors.length === 0 ? true : null;
    });
    expect((await product.call(placeOrder, { params, query })).status).toBe(200);
    const stop = await eventually('the fee was found', async () => {
      const { reply } = await product.call(listFeeStops, { query: { standing: true, skip: 0, limit: 10 } });
      return reply.data[0] ?? null;
    });
    expect(stop.message).toMatch(
      /^The venue took \$0\.\d\d in fees for 3 trades, .* a rate of 0\.0\d, where \$0\.11 was booked, by a rate of 0\.01\./,
    );
    expect((await product.call(readOverview, { query: {} })).reply.fee_stops).toEqual([stop]);
    const { reply: reported } = await product.call(listNotifications, {
      query: { notification_type: 'fee_difference' },
    });
    expect(reported.data.map(({ message }) => message)).toEqual([stop.message]);
    const gates = async () => {
      const { reply } = await product.call(readOpportunity, { params });
      return reply.blockers.map(({ gate }) => gate);
    };
    expect(await gates()).toContain('fee-stops');
    const { reply: warned } = await product.call(simulateOrders, { params, query });
    expect(warned.warnings.join(' ')).toContain(`fees of "${stop.category}" were not what the venue said`);
    const cleared = await product.call(clearFeeStop, { params: { fee_stop_id: stop.id } });
    expect(cleared.reply).toMatchObject({ id: stop.id, cleared_by: 'admin@example.com' });
    await eventually('it was cleared', async () => ((await gates()).includes('fee-stops') ? null : true));
  } finally {
    product.running.kill('SIGTERM');
    await product.running.ended;
    await exchange.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
});
