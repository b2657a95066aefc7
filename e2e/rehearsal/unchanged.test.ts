/** R5: with unchanged settings a rehearsal takes the decisions that were really taken, to the letter. */
import { ARM_CONFIRMATION, armTrading, disarmTrading } from '@dutchbook/contract/arming.ts';
import { listBatches, retryBatch } from '@dutchbook/contract/batches.ts';
import { writeLimits } from '@dutchbook/contract/limits.ts';
import { expect, it } from 'vitest';
import { type MovingDesk, moveBooks, openMovingDesk, seeded } from './moving-desk.fixture.ts';

const OPPORTUNITIES = 6;
const MOVES = process.env.TEST_ALL === undefined ? 120 : 200;

it('decides the same again: what was bought, at which sizes, and what was refused and why', async () => {
  await using desk = await openMovingDesk(OPPORTUNITIES);
  await desk.change({ USE_CUMULATIVE_PRICING: false });
  const random = seeded(5);
  await moveBooks(desk, MOVES, random);
  await desk.product.call(writeLimits, { query: {}, body: { per_batch_usd: 3 } });
  await moveBooks(desk, MOVES, random);
  await desk.product.call(writeLimits, { query: {}, body: { per_batch_usd: null, per_day_usd: 400 } });
  await desk.product.call(disarmTrading, { query: {} });
  await moveBooks(desk, MOVES, random);
  await desk.product.call(armTrading, { query: {}, body: { confirmation: ARM_CONFIRMATION } });
  await desk.change({ MIN_PROFIT_TRIGGER_THRESHOLD: 2, MIN_ORDER_SHARES: 8 });
  await retrySome(desk);
  await moveBooks(desk, MOVES, random);
  await desk.change({ AUTO_PLACE_ORDER_ENABLED: false });
  await moveBooks(desk, MOVES, random);

  const decided = await desk.decided();
  const { present, proposed, differences, result } = await desk.rehearse({});
  const lines = decided.map(({ data }) => data?.line);
  expect(lines.length).toBeGreaterThan(MOVES / 4);
  expect(decided.some(({ data }) => data?.batchId != null)).toBe(true);
  for (const refusal of ['takes up to', 'disarmed']) expect(lines.join('\n')).toContain(refusal);
  expect(result.unknown).toEqual([]);
  expect(present).toEqual(lines);
  expect(proposed).toEqual(present);
  expect(differences).toEqual([]);
});

/** What a batch lacks is bought by hand, which the rehearsal has to know of. */
async function retrySome({ product }: MovingDesk): Promise<void> {
  const { reply } = await product.call(listBatches, { query: { skip: 0, limit: 50 } });
  for (const { id } of reply.data) await product.call(retryBatch, { params: { batch_id: id } });
}
