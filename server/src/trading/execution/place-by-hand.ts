import type { WayIn } from '@dutchbook/contract/placing.ts';
import type { Settings } from '@dutchbook/contract/system-settings.ts';
import { type Assessment, assess, type Planned, type Readiness, sentences } from '@dutchbook/engine/desk/assess.ts';
import { limitBlockers, signOffBlockers } from '@dutchbook/engine/risk/gates.ts';
import { formatPrice, type Price } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import { USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import type { VenueCatalogue } from '@dutchbook/venues/venue.ts';
import { eq, sql } from 'drizzle-orm';
import type { LiveQuote, Quotes } from '../../market/markets/live-quotes.ts';
import { positionsOf } from '../../market/opportunities/identity.ts';
import { opportunityUntilEnd, type StoredOpportunity } from '../../market/opportunities/store.ts';
import { stillVerified, verifiedQuotes } from '../../market/prices/quotes/verified-quotes.ts';
import { deskSettings } from '../../people/system-settings/in-units.ts';
import { simulationIsOn } from '../../people/system-settings/store.ts';
import type { SystemSettings } from '../../people/system-settings/watched-settings.ts';
import { lock } from '../../platform/database/locks.ts';
import type { OrderPriority } from '../../platform/http/order-priority.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { activeBatchOf, batchCountOf } from '../orders/batch-store.ts';
import { askedLately } from '../orders/limit-use.ts';
import { type Intent, recordBatch } from '../orders/record-batch.ts';
import { SPENT_MEANWHILE } from '../orders/spendable.ts';
import { batches } from '../orders/table.ts';
import { leftOf, readTaken, tokensOf } from '../practice/taken.ts';
import { controlsUntilEnd } from '../trading-controls/store.ts';
import type { TradingControls } from '../trading-controls/trading-controls.ts';
import { type Account, CASH_MAX_AGE_MS } from './account.ts';
import { meansOf } from './means.ts';
import { beyondSignedOff, changedSince, placingToSignOff, type SignedOff } from './signed-off-batches.ts';
import { splitBlockers, splitWayNow } from './split-way.ts';

export type PlaceParts = {
  runtime: Runtime;
  quotes: Quotes;
  catalogue: Pick<VenueCatalogue, 'marketsById' | 'eventsById'>;
  /** Whether dollars can be split into shares on the venue's chain. */
  hasChain: boolean;
  settings: SystemSettings;
  controls: TradingControls;
  account: Account;
  readiness: () => Readiness;
};

export type Placed = { kind: 'placed'; batchId: string } | { kind: 'refused'; reasons: string[] };

type Asked = { size: Shares | null; quotedPrice: Price | null; wayIn?: WayIn | undefined; userId: string };

/** `waysIn`: which there are; it is asked for only where somebody looks, or where a split is meant. */
export type AssessedNow = Assessment & { waysIn: WayIn[]; settings: Settings };

/** What placing would do now, by books fresh from the venue wherever the stream is stale. */
export async function assessNow(
  parts: PlaceParts,
  opportunity: StoredOpportunity,
  request: Asked,
  priority: OrderPriority,
): Promise<AssessedNow> {
  const { runtime, settings, account, readiness } = parts;
  const inForce = settings.current();
  const practice = inForce.ORDER_SIMULATION_ENABLED;
  const [quoted, reading, activeBatchId] = await Promise.all([
    verifiedQuotes(parts, positionsOf(opportunity.marketCombinations), priority),
    practice ? null : account.refresh(CASH_MAX_AGE_MS[priority]),
    activeBatchOf(runtime.db, opportunity.id),
  ]);
  const means = await meansOf(runtime.db, parts, { practice, reading });
  const taken = practice ? await readTaken(runtime.db, tokensOf(quoted)) : [];
  const isSplit = request.wayIn === 'split';
  const way = isSplit || priority === 'asked' ? await splitWayNow(parts, quoted, opportunity, priority) : null;
  const ready = readiness();
  const assessed = assess({
    opportunity,
    quotes: leftOf(stillVerified(parts.quotes, quoted), taken),
    size: request.size,
    quotedPrice: request.quotedPrice,
    way: isSplit ? way : null,
    automatic: false,
    settings: deskSettings(inForce),
    now: runtime.clock.now(),
    ...means,
    activeBatchId,
    readiness: ready,
    askedLately: await askedBefore(parts, runtime.db, request.userId, ready, practice),
  });
  return {
    ...assessed,
    settings: inForce,
    waysIn: way === null ? ['buy'] : ['buy', 'split'],
    blockers: [...(isSplit ? splitBlockers(way, inForce) : []), ...assessed.blockers],
  };
}

/** A batch can complete while a second click, made before it, is still being assessed: the second click must not buy again. */
const PLACED_MEANWHILE = 'Another batch of this opportunity was placed meanwhile.';

/** Of an opportunity that discovery has found. */
export const REPLACED_MEANWHILE =
  'Other positions, which make more, have taken the place of those that were looked at.';

/** Writes down the batch. @returns its id, or null where the opportunity has an active batch already */
export type RecordOrder = (tx: Db, intent: Intent, split: Assessment['split']) => Promise<string | null>;

/** `signedOff`: what a second person has agreed to. */
type Placer = Asked & { priority?: OrderPriority; signedOff?: SignedOff };

/**
 * Records what a person has decided on, if no gate refuses it. `inSameTransaction` may claim what belongs to it. @throws
 * SignOffNeeded where one person may not spend as much
 */
export async function placeByHand(
  parts: PlaceParts,
  opportunity: StoredOpportunity,
  request: Placer,
  inSameTransaction: (tx: Db, batchId: string) => Promise<void>,
  record?: RecordOrder,
): Promise<Placed> {
  const judged = await judgePlacing(parts, opportunity, request, record);
  if (judged.kind === 'refused') return judged;
  const placed = await parts.runtime.db.transaction(async (tx): Promise<Placed> => {
    const recorded = await judged.place(tx);
    if (recorded.kind === 'placed') await inSameTransaction(tx, recorded.batchId);
    return recorded;
  });
  parts.runtime.pass('batch_recorded');
  return placed;
}

type JudgedPlacing = { kind: 'refused'; reasons: string[] } | { kind: 'allowed'; place: (tx: Db) => Promise<Placed> };

/** The first half of it, before there is a transaction; what `place` looks at again stays so until that ends. */
export async function judgePlacing(
  parts: PlaceParts,
  opportunity: StoredOpportunity,
  request: Placer,
  record: RecordOrder = (tx, intent) => recordBatch(tx, parts.runtime, intent),
): Promise<JudgedPlacing> {
  const { signedOff } = request;
  const changed = signedOff === undefined ? [] : changedSince(signedOff, opportunity, parts.settings.current());
  if (changed.length > 0) return { kind: 'refused', reasons: changed };
  const quotedPrice = request.quotedPrice ?? opportunity.currentPrice;
  const placedBefore = await batchCountOf(parts.runtime.db, opportunity.id);
  const assessed = await assessNow(parts, opportunity, { ...request, quotedPrice }, request.priority ?? 'trading');
  if (assessed.blockers.length > 0) return { kind: 'refused', reasons: sentences(assessed.blockers) };
  const { settings } = assessed;
  const needed = () => placingToSignOff(opportunity, assessed.plan, { ...request, quotedPrice, settings });
  if (signedOff === undefined && assessed.needsSignOff) throw needed();
  const beyond = signedOff === undefined ? null : beyondSignedOff(assessed.plan, signedOff);
  if (beyond !== null) return { kind: 'refused', reasons: [beyond] };
  const place = async (tx: Db): Promise<Placed> => {
    const standing = await opportunityUntilEnd(tx, opportunity.id);
    await lock(tx, 'spending');
    const refusals = [
      ...(signedOff === undefined || standing === null
        ? []
        : changedSince(signedOff, standing, parts.settings.current())),
      ...editedMeanwhile(opportunity, standing),
      ...(await refusedMeanwhile(tx, parts, opportunity, assessed, placedBefore)),
    ];
    if (refusals.length > 0) return { kind: 'refused', reasons: refusals };
    // Of two batches at once the later one finds the earlier one.
    if (signedOff === undefined && (await isMoreThanAlone(tx, parts, assessed, request.userId))) throw needed();
    const decision = { quotedPrice, automatic: false, createdBy: request.userId };
    const intent = intentOf(parts, opportunity, assessed, decision);
    const batchId = await record(tx, intent, assessed.split);
    if (batchId === null) return { kind: 'refused', reasons: ['The opportunity has an active batch already.'] };
    if (signedOff !== undefined)
      await tx.update(batches).set({ signedOff: intent.plan.totalReserve }).where(eq(batches.id, batchId));
    return { kind: 'placed', batchId };
  };
  return { kind: 'allowed', place };
}

/** What was judged is not what is bought any more. */
function editedMeanwhile(judged: StoredOpportunity, standing: StoredOpportunity | null): string[] {
  if (standing === null) return ['The opportunity was deleted.'];
  if (!standing.active) return ['The opportunity is not active.'];
  if (standing.contentHash !== judged.contentHash) return [REPLACED_MEANWHILE];
  if (standing.targetPrice === judged.targetPrice) return [];
  const [before, now] = [judged.targetPrice, standing.targetPrice].map(formatPrice);
  return [`The target price was changed from ${before} to ${now} meanwhile.`];
}

/** Undefined when sign-offs are off, which spares the query. */
async function askedBefore(
  { runtime }: PlaceParts,
  db: Db,
  userId: string,
  { signOffAbove = null }: Readiness,
  simulated: boolean,
): Promise<Usd | undefined> {
  if (signOffAbove === null) return undefined;
  return await askedLately(db, { at: runtime.clock.now(), userId, simulated });
}

/** Whether one person may not spend as much, by what they have asked for until now. */
async function isMoreThanAlone(
  tx: Db,
  parts: PlaceParts,
  { plan, settings }: AssessedNow,
  userId: string,
): Promise<boolean> {
  const ready = parts.readiness();
  const { signOffAbove = null } = ready;
  const lately = (await askedBefore(parts, tx, userId, ready, settings.ORDER_SIMULATION_ENABLED)) ?? USD_ZERO;
  return signOffBlockers({ plan, spentBefore: [], signOffAbove, askedLately: lately }).length > 0;
}

/** What other batches, or a person, have changed since the order was assessed; nothing more changes while `tx` lasts. */
async function refusedMeanwhile(
  tx: Db,
  parts: PlaceParts,
  opportunity: StoredOpportunity,
  { plan, settings }: AssessedNow,
  placedBefore: number,
): Promise<string[]> {
  if ((await batchCountOf(tx, opportunity.id)) !== placedBefore) return [PLACED_MEANWHILE];
  const practice = settings.ORDER_SIMULATION_ENABLED;
  // Disarming waits for the transaction of a batch, and asks for its end; or the batch waits, and is not recorded.
  const { armed, limits } = await controlsUntilEnd(tx, parts.runtime.config.venueMode);
  if (!practice && (!armed || !parts.readiness().armed)) return ['Trading is disarmed.'];
  if (await isSwitched(tx, parts.settings, practice)) return [SWITCHED_MEANWHILE];
  const { cash, limitState } = await meansOf(tx, parts, { practice, reading: parts.account.reading(), limits });
  if (cash === null || cash < plan.totalReserve) return [SPENT_MEANWHILE];
  return sentences(limitBlockers({ plan, ...limitState }));
}

/** Between the decision and its record. */
export const SWITCHED_MEANWHILE = 'Order simulation was switched on or off meanwhile.';

/** Whether what was decided on would be sent, or only simulated, where that was not so: here, or by what is stored. */
async function isSwitched(tx: Db, settings: SystemSettings, practice: boolean): Promise<boolean> {
  const [stored] = await tx.select({ isOn: simulationIsOn() }).from(sql`(select 1) one`);
  return settings.current().ORDER_SIMULATION_ENABLED !== practice || stored?.isOn !== practice;
}

/** What has been decided on, as it is recorded. */
export function intentOf(
  { settings }: PlaceParts,
  opportunity: StoredOpportunity,
  { plan, value, quotes, feeSchedules }: Planned,
  decision: { quotedPrice: Price | null; automatic: boolean; createdBy: string | null },
): Intent {
  return {
    ...decision,
    opportunityId: opportunity.id,
    targetPrice: opportunity.targetPrice,
    plan,
    feeSchedules,
    bookAges: bookAgesOf(quotes),
    settings: settings.current(),
    warning: value.kind === 'valued' ? priceChangeWarning(decision.quotedPrice, value.currentPrice) : null,
  };
}

/** Of each market the older of its books. */
function bookAgesOf(quotes: readonly LiveQuote[]): Map<string, number> {
  const ages = new Map<string, number>();
  for (const { marketId, bookAgeMs } of quotes) {
    if (bookAgeMs !== null) ages.set(marketId, Math.max(bookAgeMs, ages.get(marketId) ?? 0));
  }
  return ages;
}

function priceChangeWarning(quotedPrice: Price | null, currentPrice: Price): string | null {
  if (quotedPrice === null || quotedPrice === currentPrice) return null;
  const moved = `from ${formatPrice(quotedPrice)} to ${formatPrice(currentPrice)}`;
  return `A set's price moved ${moved} between the quote and the order, within what is allowed.`;
}
