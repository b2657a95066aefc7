import { sharesToNumber, sharesToText } from '@dutchbook/units/shares.ts';
import { formatUsd, usdToNumber } from '@dutchbook/units/usd.ts';
import { and, eq, isNotNull, isNull } from 'drizzle-orm';
import { recordNotification } from '../../../people/notifications/record.ts';
import type { Runtime } from '../../../platform/runtime/runtime.ts';
import { batches, type StoredUnhedged } from '../../orders/table.ts';
import type { EndedBatch } from '../recovery/ended-batches.ts';
import { titled } from './batch-notifications.ts';

/** Shares that no whole set needs are normal for a short while; those that stay are notified. */
const LEG_RISK_AFTER_MS = 10_000;

/** Records a notification, once each, of batches that have been unhedged for a while; whichever process finds them first. */
export async function notifyLegRisk(runtime: Runtime, ended: readonly EndedBatch[]): Promise<void> {
  const longSince = runtime.clock.now() - LEG_RISK_AFTER_MS;
  const due = ended.filter(
    ({ unhedgedSince, legRiskNotifiedAt }) =>
      unhedgedSince !== null && unhedgedSince <= longSince && legRiskNotifiedAt === null,
  );
  for (const { id } of due) await tellOf(runtime, id);
}

async function tellOf(runtime: Runtime, batchId: string): Promise<void> {
  await runtime.db.transaction(async (tx) => {
    const notNotified = and(eq(batches.id, batchId), isNotNull(batches.unhedged), isNull(batches.legRiskNotifiedAt));
    const [batch] = await tx
      .update(batches)
      .set({ legRiskNotifiedAt: runtime.clock.now() })
      .where(notNotified)
      .returning();
    if (!batch?.unhedged) return;
    await recordNotification(tx, runtime, {
      type: 'leg_risk',
      opportunityId: batch.opportunityId,
      message: `${batch.simulated ? 'Simulated: ' : ''}${titled(batch.name, sentenceOf(batch.unhedged))}`,
      data: { ...dataOf(batchId, batch.unhedged), name: batch.name, simulated: batch.simulated },
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
