import { PRICE_CHANGED_MARKER } from '@dutchbook/contract/orders.ts';
import type { PlacementPlan } from '@dutchbook/engine/order/plan.ts';
import { limitBlockers } from '@dutchbook/engine/risk/gates.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { formatPrice, type Price } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import type { VenueCatalogue } from '@dutchbook/venues/venue.ts';
import { type Intent, recordBatch } from '../../batches/record.ts';
import { activeBatchOf, wasPlacedSince } from '../../batches/store.ts';
import { positionsOf } from '../../opportunities/identity.ts';
import type { StoredOpportunity } from '../../opportunities/store.ts';
import type { Quotes, SystemSettings, TradingControls } from '../../parts.ts';
import { isArmedUntilEnd } from '../../trading-controls/store.ts';
import { passedForAll } from '../../world/clock.ts';
import type { Db, World } from '../../world/world.ts';
import type { Account } from '../account.ts';
import { type Assessment, assess, type Readiness, sentences } from '../assess.ts';
import { trustedStill, vouchedQuotes } from '../quotes/vouched-quotes.ts';
import { limitState } from './limit-use.ts';
import { lockSpending, SPENT_MEANWHILE, spendableCash } from './spendable.ts';

export type PlaceParts = {
  world: World;
  quotes: Quotes;
  catalogue: Pick<VenueCatalogue, 'marketsById'>;
  settings: SystemSettings;
  controls: TradingControls;
  account: Account;
  readiness: () => Readiness;
};

export type Placed = { kind: 'placed'; batchId: string } | { kind: 'refused'; reasons: string[] };

/** What placing would do now, by books fresh from the venue wherever the stream cannot vouch for its own. */
export async function assessNow(
  parts: PlaceParts,
  opportunity: StoredOpportunity,
  wish: { size: Shares | null; quotedPrice: Price | null },
): Promise<Assessment> {
  const { world, settings, account, readiness } = parts;
  const [quoted, reading, activeBatchId] = await Promise.all([
    vouchedQuotes(parts, positionsOf(opportunity.marketCombinations)),
    account.refresh(),
    activeBatchOf(world.db, opportunity.id),
  ]);
  const cash = await spendableCash(world.db, reading);
  const limits = await limitState(world.db, parts);
  return assess({
    opportunity,
    quotes: trustedStill(parts.quotes, quoted),
    size: wish.size,
    quotedPrice: wish.quotedPrice,
    automatic: false,
    settings: settings.current(),
    now: world.clock.now(),
    cash,
    activeBatchId,
    readiness: readiness(),
    limitState: limits,
  });
}

/** A batch can complete while a second click, made before it, is still being assessed: nobody decided to buy twice. */
const PLACED_MEANWHILE = 'Another batch of this opportunity was placed meanwhile.';

/** Records what a person has decided to buy, if no gate refuses it. `inSameTransaction` may claim what belongs to it. */
export async function placeByHand(
  parts: PlaceParts,
  opportunity: StoredOpportunity,
  wish: { size: Shares | null; quotedPrice: Price | null; userId: string },
  inSameTransaction: (tx: Db, batchId: string) => Promise<void>,
): Promise<Placed> {
  const quotedPrice = wish.quotedPrice ?? opportunity.currentPrice;
  const decidedAt = passedForAll(parts.world);
  const assessed = await assessNow(parts, opportunity, { size: wish.size, quotedPrice });
  if (assessed.blockers.length > 0) return { kind: 'refused', reasons: sentences(assessed.blockers) };
  const placed = await parts.world.db.transaction(async (tx): Promise<Placed> => {
    await lockSpending(tx);
    const refusals = await refusedMeanwhile(tx, parts, opportunity, assessed.plan, decidedAt);
    if (refusals.length > 0) return { kind: 'refused', reasons: refusals };
    const decision = { quotedPrice, automatic: false, createdBy: wish.userId };
    const batchId = await recordBatch(tx, parts.world, intentOf(parts, opportunity, assessed, decision));
    if (batchId === null) return { kind: 'refused', reasons: ['The opportunity has an active batch already.'] };
    await inSameTransaction(tx, batchId);
    return { kind: 'placed', batchId };
  });
  parts.world.pass('batch_recorded');
  return placed;
}

/** What other batches, or a person, have changed since the order was assessed; nothing more changes while `tx` lasts. */
async function refusedMeanwhile(
  tx: Db,
  parts: PlaceParts,
  opportunity: StoredOpportunity,
  plan: PlacementPlan,
  decidedAt: Instant,
): Promise<string[]> {
  if (await wasPlacedSince(tx, opportunity.id, decidedAt)) return [PLACED_MEANWHILE];
  if (!(await mayBuy(tx, parts))) return ['Trading is disarmed.'];
  const cash = await spendableCash(tx, parts.account.reading());
  if (cash === null || cash < plan.totalReserve) return [SPENT_MEANWHILE];
  return sentences(limitBlockers({ plan, ...(await limitState(tx, parts)) }));
}

/** Disarming waits for the transaction of a batch, and asks for its end; or the batch waits, and is not recorded. */
async function mayBuy(tx: Db, { world, readiness }: PlaceParts): Promise<boolean> {
  return readiness().armed && (await isArmedUntilEnd(tx, world.config.venueMode));
}

/** What has been decided on, as it is recorded. */
export function intentOf(
  { settings }: PlaceParts,
  opportunity: StoredOpportunity,
  { plan, value, feeRates }: Assessment,
  decision: { quotedPrice: Price | null; automatic: boolean; createdBy: string | null },
): Intent {
  return {
    ...decision,
    opportunityId: opportunity.id,
    targetPrice: opportunity.targetPrice,
    plan,
    feeRates,
    settings: settings.current(),
    warning: value.kind === 'valued' ? priceChangeWarning(decision.quotedPrice, value.currentPrice) : null,
  };
}

function priceChangeWarning(quotedPrice: Price | null, currentPrice: Price): string | null {
  if (quotedPrice === null || quotedPrice === currentPrice) return null;
  const moved = `from ${formatPrice(quotedPrice)} to ${formatPrice(currentPrice)}`;
  return `${PRICE_CHANGED_MARKER} A set's price moved ${moved} between the quote and the order, within what is allowed.`;
}
