import { isTriggered, netProfitPct } from '@dutchbook/engine/opportunity/value.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { Percent } from '@dutchbook/units/percent.ts';
import type { Price } from '@dutchbook/units/price.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import { eq } from 'drizzle-orm';
import { recordAction } from '../audit/record.ts';
import type { Actor } from '../parts.ts';
import type { Runtime } from '../runtime.ts';
import { edgeInsert } from './history/store.ts';
import { servedRow } from './present.ts';
import { type StoredOpportunity, storedOpportunities } from './store.ts';
import { opportunities, opportunityPrices } from './table.ts';

export type Edit = { targetPrice?: Price | undefined; active?: boolean | undefined };

/**
 * Stores an edit with its profit at the price last known, so that no reader sees a new target beside the profit of the
 * old one. It may end a trigger, and never sets one: that is for the live loop, which judges the row anew. Null when
 * there is no such opportunity; `isChanged` is false where it was like that already, and then nothing is recorded.
 */
export async function editOpportunity(
  runtime: Runtime,
  { id, edit, thresholdPct, actor }: { id: string; edit: Edit; thresholdPct: Percent; actor: Actor },
): Promise<{ row: StoredOpportunity; isChanged: boolean } | null> {
  return runtime.db.transaction(async (tx) => {
    const [before] = await storedOpportunities(tx).where(eq(opportunities.id, id)).for('update');
    if (before === undefined) return null;
    const { targetPrice = before.targetPrice, active = before.active } = edit;
    if (targetPrice === before.targetPrice && active === before.active) return { row: before, isChanged: false };
    const profitPercentage = profitAt(targetPrice, before);
    const triggered = before.triggered && isTriggered(active, profitPercentage, thresholdPct);
    const updatedAt = after(before, runtime.clock.now());
    await tx.update(opportunities).set({ targetPrice, active, updatedAt }).where(eq(opportunities.id, id));
    const prices = { profitPercentage, triggered };
    await tx.update(opportunityPrices).set(prices).where(eq(opportunityPrices.opportunityId, id));
    const row = { ...before, targetPrice, active, updatedAt, ...prices };
    if (before.triggered && !triggered) await tx.execute(edgeInsert(row, updatedAt));
    await recordAction(tx, runtime, actor, {
      action: 'opportunity.changed',
      object: id,
      before: servedRow(before),
      after: servedRow(row),
    });
    return { row, isChanged: true };
  });
}

function profitAt(targetPrice: Price, { currentPrice, feesPerSet }: StoredOpportunity): Percent | null {
  if (currentPrice === null || feesPerSet === null) return null;
  const cost = (currentPrice + feesPerSet) as Usd;
  return cost > 0 ? netProfitPct(targetPrice, cost) : null;
}

/** Whoever follows the row tells its versions apart by this moment, so that no two edits may share one. */
function after({ updatedAt }: StoredOpportunity, now: Instant): Instant {
  return Math.max(now, updatedAt + 1) as Instant;
}
