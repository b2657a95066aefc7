import { NOTHING_NOW } from '@dutchbook/engine/desk/reprice.ts';
import { isTriggered, netProfitPct } from '@dutchbook/engine/opportunity/value.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { Percent } from '@dutchbook/units/percent.ts';
import { type Price, priceToText } from '@dutchbook/units/price.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import { eq } from 'drizzle-orm';
import { recordAction } from '../../platform/audit/record.ts';
import { Conflict, Invalid } from '../../platform/http/errors.ts';
import type { Actor } from '../../platform/http/signed-in.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { edgeInsert } from './history/store.ts';
import { servedRow } from './present.ts';
import { type StoredOpportunity, storedOpportunities } from './store.ts';
import { opportunities, opportunityPrices } from './table.ts';

export type Edit = { targetPrice?: Price | undefined; active?: boolean | undefined };

/** Whether what a relation has found may be bought, which stays so until the transaction ends. */
export type MayBeFound = (tx: Db, relationId: string) => Promise<boolean>;

type Asked = { id: string; edit: Edit; thresholdPct: Percent; actor: Actor; mayBeFound?: MayBeFound };

const NOT_TO_BE_FOUND =
  'The relation that it was found by may not be traded: it is found again once a superuser has approved that relation.';

/**
 * Stores an edit with its profit at the price last known, so that no reader sees a new target beside the profit of the
 * old one. It may end a trigger, and never sets one: that is for the live loop, which judges the row anew. Null when
 * there is no such opportunity; `isChanged` is false where it was like that already, and then nothing is recorded.
 * @throws Conflict where it would be active again against what is said of the relation that it was found by
 * @throws Invalid where the target of a found one would be more than its set was found to pay: each of its sets would be bought and
 * booked at a profit that it never has
 */
export async function editOpportunity(
  runtime: Runtime,
  { id, edit, thresholdPct, actor, mayBeFound = async () => true }: Asked,
): Promise<{ row: StoredOpportunity; isChanged: boolean } | null> {
  return runtime.db.transaction(async (tx) => {
    const isRefused = edit.active === true && !(await mayBeOpened(tx, id, mayBeFound));
    const [before] = await storedOpportunities(tx).where(eq(opportunities.id, id)).for('update');
    if (before === undefined) return null;
    const { targetPrice = before.targetPrice, active = before.active } = edit;
    if (targetPrice === before.targetPrice && active === before.active) return { row: before, isChanged: false };
    if (isRefused && !before.active) throw new Conflict(NOT_TO_BE_FOUND);
    if (before.relationId !== null && targetPrice > before.targetPrice) throw raised(before);
    const profitPercentage = profitAt(targetPrice, before);
    const triggered = before.triggered && isTriggered(active, profitPercentage, thresholdPct);
    const updatedAt = after(before, runtime.clock.now());
    await tx.update(opportunities).set({ targetPrice, active, updatedAt }).where(eq(opportunities.id, id));
    // The next price says it.
    const annualisedReturn = targetPrice === before.targetPrice ? before.annualisedReturn : null;
    const prices = { profitPercentage, annualisedReturn, triggered, ...NOTHING_NOW };
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

function raised({ targetPrice }: StoredOpportunity): Invalid {
  return new Invalid(
    ['body', 'target_price'],
    `target_price of a found opportunity can only be lowered, from ${priceToText(targetPrice)}: it is set to what a set pays each time one is found`,
  );
}

/** Asked before the row is locked: voiding locks the relation first, and then its opportunities. */
async function mayBeOpened(tx: Db, id: string, mayBeFound: MayBeFound): Promise<boolean> {
  const { relationId } = opportunities;
  const [row] = await tx.select({ relationId }).from(opportunities).where(eq(opportunities.id, id));
  return row === undefined || row.relationId === null || (await mayBeFound(tx, row.relationId));
}

function profitAt(targetPrice: Price, { currentPrice, feesPerSet }: StoredOpportunity): Percent | null {
  if (currentPrice === null || feesPerSet === null) return null;
  const cost = (currentPrice + feesPerSet) as Usd;
  return cost > 0 ? netProfitPct(targetPrice, cost) : null;
}

/** Followers tell versions of the row apart by this moment, so that no two edits may share one. */
function after({ updatedAt }: StoredOpportunity, now: Instant): Instant {
  return Math.max(now, updatedAt + 1) as Instant;
}
