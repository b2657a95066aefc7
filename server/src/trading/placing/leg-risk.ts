import { sharesToNumber, sharesToText } from '@dutchbook/units/shares.ts';
import { formatUsd, usdToNumber } from '@dutchbook/units/usd.ts';
import { and, eq, isNotNull, isNull } from 'drizzle-orm';
import { recordNotification } from '../../notifications/record.ts';
import { batches, type StoredUnhedged } from '../../world/schema.ts';
import type { World } from '../../world/world.ts';
import type { Aftermath } from './aftermath.ts';

/** Shares that no whole set needs are normal for moments; people are told of those that stay. */
const LEG_RISK_AFTER_MS = 10_000;

/** Records a notification, once each, of batches that have been unhedged for a while; whichever process finds them first. */
export async function tellLegRisk(world: World, ended: readonly Aftermath[]): Promise<void> {
  const longSince = world.clock.now() - LEG_RISK_AFTER_MS;
  const due = ended.filter(
    ({ unhedgedSince, legRiskToldAt }) =>
      unhedgedSince !== null && unhedgedSince <= longSince && legRiskToldAt === null,
  );
  for (const { id } of due) await tellOf(world, id);
}

async function tellOf(world: World, batchId: string): Promise<void> {
  await world.db.transaction(async (tx) => {
    const untold = and(eq(batches.id, batchId), isNotNull(batches.unhedged), isNull(batches.legRiskToldAt));
    const [batch] = await tx.update(batches).set({ legRiskToldAt: world.clock.now() }).where(untold).returning();
    if (!batch?.unhedged) return;
    await recordNotification(tx, world, {
      type: 'leg_risk',
      opportunityId: batch.opportunityId,
      message: `${batch.simulated ? 'Simulated: ' : ''}${sentenceOf(batch.unhedged)}`,
      data: { ...dataOf(batchId, batch.unhedged), simulated: batch.simulated },
    });
  });
}

function sentenceOf({ positions, worstLoss }: StoredUnhedged): string {
  const held = positions.map(
    ({ shares, outcome, marketName }) => `${sharesToText(shares)} ${outcome} of "${marketName}"`,
  );
  return `A batch is unhedged: it holds ${held.join(', ')} without the rest of the set. At worst ${formatUsd(worstLoss)} is lost.`;
}

function dataOf(batchId: string, { positions, worstLoss }: StoredUnhedged): Record<string, unknown> {
  return {
    batch_id: batchId,
    worst_loss_usd: usdToNumber(worstLoss),
    positions: positions.map(({ orderId, marketName, outcome, shares, atRisk }) => ({
      order_id: orderId,
      market_name: marketName,
      outcome,
      shares: sharesToNumber(shares),
      usd: usdToNumber(atRisk),
    })),
  };
}
