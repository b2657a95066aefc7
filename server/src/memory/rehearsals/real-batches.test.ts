import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { type Usd, usdFromText } from '@dutchbook/units/usd.ts';
import { and, eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { result } from '../../books/report/result.fixture.ts';
import { batchResults } from '../../books/report/table.ts';
import { openTestRuntime } from '../../test-runtime.ts';
import { recordedBatch } from '../../trading/execution/runner/runner.fixture.ts';
import { batchOrders } from '../../trading/orders/table.ts';
import { readRealBatches } from './run-real-batches.ts';

it('counts what a batch took at the venue of each of its orders', async () => {
  await using test = await openTestRuntime();
  const { db, clock } = test.runtime;
  const id = await recordedBatch(test, {}, ['101', 'kalshi:102']);
  const fill = (tokenId: string, cost: string, fee: string) =>
    db
      .update(batchOrders)
      .set({ filledCost: usdFromText(cost), fee: usdFromText(fee) })
      .where(and(eq(batchOrders.batchId, id), eq(batchOrders.tokenId, tokenId)));
  await fill('101', '3', '0');
  await fill('kalshi:102', '5.8', '0.2');
  const took = { paid: usdFromText('8.8'), fees: usdFromText('0.2'), received: 0 as Usd, locked: usdFromText('6') };
  await db.insert(batchResults).values(result(id, clock.now(), took));
  const batches = await readRealBatches(db, 0 as Instant, instantFromMs(clock.now() + 1));
  const batch = batches.get(id);
  expect(batch?.spent).toBe(usdFromText('9'));
  const at = clock.now();
  expect(batch?.parts).toEqual([
    { venue: 'polymarket', at, spent: usdFromText('3'), held: usdFromText('2') },
    { venue: 'kalshi', at, spent: usdFromText('6'), held: usdFromText('4') },
  ]);
});
