/**
 * The product is killed (SIGKILL, a real process on a real database) at every named step of placing a batch, and started
 * again. Whatever the step: each position has one order at the exchange, the fills in the database are the exchange's
 * trades, and the batch completes.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listBatches } from '@dutchbook/contract/batches.ts';
import { placeOrder } from '@dutchbook/contract/opportunities.ts';
import { listOrders } from '@dutchbook/contract/orders.ts';
import { sharesFromNumber, sharesToText } from '@dutchbook/units/shares.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase } from '../world/database.ts';
import { eventually } from '../world/eventually.ts';
import { type RunningExchange, startExchange } from '../world/exchange.ts';
import { type Product, startProduct } from '../world/product.ts';
import { cheapThreeWay } from '../world/three-way.ts';

const STEPS = [
  'batch_recorded',
  'lease_taken',
  'orders_signed',
  'attempts_committed',
  'marked_sent',
  'venue_answered',
  'outcomes_recorded',
  'fills_read',
  'fills_recorded',
  'batch_settled',
] as const;

const SIZE = sharesFromNumber(12);

describe.each(['embedded', 'postgresql'] as const)(
  'killed in the middle of placing, on the %s database',
  (database) => {
    let exchange: RunningExchange;
    let dataDir: string;
    beforeAll(async () => {
      exchange = await startExchange();
      dataDir = await mkdtemp(join(tmpdir(), 'dutchbook-kill-'));
    });
    afterAll(async () => {
      await exchange.stop();
      await rm(dataDir, { recursive: true, force: true });
    });

    it.each(STEPS)('at %s, nothing is lost and nothing is doubled', async (step) => {
      const stepDir = join(dataDir, step);
      const databaseEnv = database === 'embedded' ? {} : { DATABASE_URL: await freshDatabase() };
      const before = await exchange.state();
      const doomed = await startProduct(exchange.url, stepDir, { ...databaseEnv, CRASH_AT: step });
      const { opportunityId, tokenIds } = await cheapThreeWay(exchange, doomed);
      await doomed
        .call(placeOrder, { params: { opportunity_id: opportunityId }, query: { order_size: SIZE } })
        .catch(() => null);
      expect(await doomed.running.ended).toEqual({ code: null, signal: 'SIGKILL' });

      const survivor = await startProduct(exchange.url, stepDir, databaseEnv);
      const [batch] = await completedBatches(survivor);
      expect(batch).toMatchObject({ status: 'completed', total_orders: 3, expected_orders: 3 });

      const after = await exchange.state();
      const placed = after.orders.slice(before.orders.length);
      expect(placed.map(({ asset_id }) => asset_id).sort()).toEqual([...tokenIds].sort());
      const traded = after.trades.slice(before.trades.length);
      expect(await filledByToken(survivor)).toEqual(
        new Map(tokenIds.map((token) => [token, sizeTraded(traded, token)])),
      );
      expect([...(await filledByToken(survivor)).values()]).toEqual(tokenIds.map(() => sharesToText(SIZE)));

      survivor.running.kill('SIGTERM');
      expect((await survivor.running.ended).code).toBe(0);
    });
  },
);

async function completedBatches(product: Product) {
  return await eventually('the batch came to its end', async () => {
    const { reply } = await product.call(listBatches, { query: {} });
    expect(reply.data).toHaveLength(1);
    return reply.data[0]?.is_active ? null : reply.data;
  });
}

async function filledByToken(product: Product): Promise<Map<string, string>> {
  const { reply } = await product.call(listOrders, { query: {} });
  return new Map(
    reply.data
      .toSorted((a, b) => a.leg - b.leg)
      .map(({ token_id, filled_size }) => [token_id, sharesToText(filled_size)]),
  );
}

function sizeTraded(trades: { asset_id: string; size: string }[], tokenId: string): string {
  const sizes = trades.filter(({ asset_id }) => asset_id === tokenId).map(({ size }) => sharesFromNumber(Number(size)));
  return sharesToText(sharesFromNumber(sizes.reduce((sum, size) => sum + size, 0) / 1_000_000));
}
