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

/** Steps that a process also passes when it follows up an earlier batch: they need a database without one. */
const NEEDS_FRESH_DATABASE: ReadonlySet<string> = new Set(['lease_taken', 'fills_read', 'fills_recorded']);

const SIZE = sharesFromNumber(12);

/** Declares the tests for one of the two databases; each runs in a file of its own, beside the other. */
export function describeKills(database: 'embedded' | 'postgresql'): void {
  describe(`killed in the middle of placing, on the ${database} database`, () => {
    let exchange: RunningExchange;
    let dataDir: string;
    let postgresUrl: string;
    beforeAll(async () => {
      exchange = await startExchange();
      dataDir = await mkdtemp(join(tmpdir(), 'dutchbook-kill-'));
      if (database === 'postgresql') postgresUrl = await freshDatabase();
    });
    afterAll(async () => {
      await exchange.stop();
      await rm(dataDir, { recursive: true, force: true });
    });

    it.each(STEPS.map((step, nth) => ({ step, nth })))(
      'at $step, nothing is lost and nothing is doubled',
      async ({ step, nth }) => {
        const before = await exchange.state();
        const isFresh = NEEDS_FRESH_DATABASE.has(step);
        const stepDir = join(dataDir, isFresh ? step : 'all');
        const databaseEnv: Record<string, string> =
          database === 'embedded' ? {} : { DATABASE_URL: isFresh ? await freshDatabase() : postgresUrl };
        const doomed = await startProduct(exchange.url, stepDir, { ...databaseEnv, CRASH_AT: step });
        const { opportunityId, tokenIds } = await cheapThreeWay(exchange, doomed, nth);
        const wish = { params: { opportunity_id: opportunityId }, query: { order_size: SIZE } };
        await doomed.call(placeOrder, wish).catch(() => null);
        expect(await doomed.running.ended).toEqual({ code: null, signal: 'SIGKILL' });

        const survivor = await startProduct(exchange.url, stepDir, databaseEnv);
        const batch = await endedBatch(survivor, opportunityId);
        expect(batch).toMatchObject({ status: 'completed', total_orders: 3, expected_orders: 3 });

        const after = await exchange.state();
        const placed = after.orders.slice(before.orders.length);
        expect(placed.map(({ asset_id }) => asset_id).sort()).toEqual([...tokenIds].sort());
        const traded = after.trades.slice(before.trades.length);
        const filled = await filledByToken(survivor, opportunityId);
        expect(filled).toEqual(new Map(tokenIds.map((token) => [token, sizeTraded(traded, token)])));
        expect([...filled.values()]).toEqual(tokenIds.map(() => sharesToText(SIZE)));

        survivor.running.kill('SIGTERM');
        expect((await survivor.running.ended).code).toBe(0);
      },
    );
  });
}

async function endedBatch(product: Product, opportunityId: string) {
  return await eventually('the batch came to its end', async () => {
    const { reply } = await product.call(listBatches, { query: { opportunity_id: opportunityId } });
    expect(reply.count).toBe(1);
    const [batch] = reply.data;
    return batch && !batch.is_active ? batch : null;
  });
}

async function filledByToken(product: Product, opportunityId: string): Promise<Map<string, string>> {
  const { reply } = await product.call(listOrders, { query: { opportunity_id: opportunityId } });
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
