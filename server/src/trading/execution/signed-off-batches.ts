/** Batches that spend more than one person may: how they are asked for, and what a sign-off of one says. */
import { isDeepStrictEqual } from 'node:util';
import { id } from '@dutchbook/contract/listing.ts';
import { marketCombinations } from '@dutchbook/contract/opportunities.ts';
import { type WayIn, wayIn } from '@dutchbook/contract/placing.ts';
import { setPrice, shares, usd } from '@dutchbook/contract/quantities.ts';
import type { Settings } from '@dutchbook/contract/system-settings.ts';
import type { PlacementPlan } from '@dutchbook/engine/order/plan.ts';
import type { Fraction } from '@dutchbook/units/fraction.ts';
import { MICRO, mulDiv } from '@dutchbook/units/micro.ts';
import { formatPrice, type Price } from '@dutchbook/units/price.ts';
import { type Shares, sharesToText } from '@dutchbook/units/shares.ts';
import { formatUsd, subtractUsd, type Usd } from '@dutchbook/units/usd.ts';
import * as z from 'zod/mini';
import type { StoredOpportunity } from '../../market/opportunities/store.ts';
import { SignOffNeeded } from '../../people/sign-offs/ask.ts';
import { changedNames } from '../../people/sign-offs/changed-names.ts';
import { gateSettings } from '../../people/system-settings/in-units.ts';
import type { JsonObject } from '../../platform/audit/record.ts';
import { type BatchState, salesOf } from '../orders/batch-state.ts';

const NAMED_MAX = 3;

/** What the approver saw; an approval places this and nothing else. */
const seenOpportunity = z.object({
  target_price: setPrice,
  legs: marketCombinations,
  settings: z.record(z.string(), z.union([z.boolean(), z.number(), z.string()])),
});
const seenBatch = z.object({ retry_count: z.number(), held: z.record(z.string(), shares) });

/** `seen`, `at_least_usd`: missing in requests of older versions. */
const placing = z.object({
  opportunity_id: id,
  order_size: shares,
  quoted_price: z.nullable(setPrice),
  way_in: z.nullable(wayIn),
  up_to_usd: usd,
  at_least_usd: z.optional(usd),
  seen: z.optional(seenOpportunity),
});
const retrying = z.object({
  batch_id: id,
  up_to_usd: usd,
  finish_up_to_usd: z.optional(usd),
  seen: z.optional(seenBatch),
});

type Quoted = { quotedPrice: Price | null; wayIn?: WayIn | undefined; settings: Settings };

/** Dollars that it takes at most and makes at least, and what was looked at. */
export type SignedOff = { upTo: Usd; atLeast?: Usd | undefined; seen?: z.output<typeof seenOpportunity> | undefined };

const ASKED_BEFORE_UPDATE = 'It was asked for before an update of the product: ask again.';

/** The dollars that a sign-off allows: prices may move as far as from the quote of an order placed by hand. */
export function upToOf(total: Usd, maxDeviation: Fraction): Usd {
  return mulDiv(total, MICRO + maxDeviation, MICRO, 'down') as Usd;
}

/** Placings that need a second person. */
export function placingToSignOff(
  opportunity: SeenOpportunity,
  plan: PlacementPlan,
  { quotedPrice, wayIn: way = undefined, settings }: Quoted,
): SignOffNeeded {
  const upTo = upToOf(plan.totalReserve, gateSettings(settings).maxDeviation);
  const call = z.encode(placing, {
    opportunity_id: opportunity.id,
    order_size: plan.size,
    quoted_price: quotedPrice,
    way_in: way ?? null,
    up_to_usd: upTo,
    at_least_usd: subtractUsd(plan.expectedProfit, subtractUsd(upTo, plan.totalReserve)),
    seen: { target_price: opportunity.targetPrice, legs: opportunity.marketCombinations, settings },
  });
  const how = way === 'split' ? 'Split dollars into' : 'Buy';
  const summary = `${how} ${sharesToText(plan.size)} sets of ${namesOf(plan)} for about ${formatUsd(plan.totalReserve)} and up to ${formatUsd(upTo)}, to make ${formatUsd(plan.expectedProfit)}`;
  return new SignOffNeeded({ kind: 'batch', call: call as JsonObject, summary });
}

type SeenOpportunity = Pick<StoredOpportunity, 'id' | 'targetPrice' | 'marketCombinations'>;

/** Why what is placed now is not what was looked at: sentences. */
export function changedSince(
  { seen }: SignedOff,
  { targetPrice, marketCombinations: legs }: Omit<SeenOpportunity, 'id'>,
  settings: Settings,
): string[] {
  if (seen === undefined) return [ASKED_BEFORE_UPDATE];
  const [was, is] = [seen.target_price, targetPrice].map(formatPrice);
  const names = changedNames(seen.settings, settings);
  return [
    ...(seen.target_price === targetPrice
      ? []
      : [`The target price was changed from ${was} to ${is} after it was asked for.`]),
    ...(isDeepStrictEqual(seen.legs, legs) ? [] : ['The legs were changed after it was asked for.']),
    ...(names === null ? [] : [`${names} changed after it was asked for.`]),
  ];
}

function namesOf({ orders }: PlacementPlan): string {
  const names = [...new Set(orders.map(({ outcome, marketName }) => `${outcome} “${marketName}”`))];
  const more = names.length - NAMED_MAX;
  return new Intl.ListFormat('en-GB').format([...names.slice(0, NAMED_MAX), ...(more > 0 ? [`${more} more`] : [])]);
}

/** The sign-off that a retry needs; `upTo`: what the batch may cost in all after it. */
export function retryToSignOff(state: BatchState, { plan, upTo }: { plan: PlacementPlan; upTo: Usd }): SignOffNeeded {
  const { id: batchId, name } = state.batch;
  const summary = `Retry batch ${name === null ? batchId.slice(0, 8) : `“${name}”`}: buy ${namesOf(plan)} for about ${formatUsd(plan.totalReserve)}, which brings it to up to ${formatUsd(upTo)}`;
  const { finishUpTo } = state.batch;
  const finish = finishUpTo === null ? {} : { finish_up_to_usd: finishUpTo };
  const call = z.encode(retrying, { batch_id: batchId, up_to_usd: upTo, ...finish, seen: seenOf(state) });
  return new SignOffNeeded({ kind: 'batch', call: call as JsonObject, summary, batchId });
}

/** The part of a batch from which its missing shares follow. */
function seenOf(state: BatchState): z.output<typeof seenBatch> {
  const held = state.orders.map((order) => {
    const sold = salesOf(state, order.id).reduce((sum, { size }) => sum + size, 0);
    return [order.id, Math.max(0, order.filledSize - sold) as Shares] as const;
  });
  return { retry_count: state.batch.retryCount, held: Object.fromEntries(held) };
}

/** Why a batch is not as it was when its retry was asked for: a sentence, or null. */
export function batchChangedSince(seen: SignedRetry['seen'], state: BatchState): string | null {
  if (seen === undefined) return ASKED_BEFORE_UPDATE;
  return isDeepStrictEqual(seen, seenOf(state)) ? null : 'The batch was changed after it was asked for.';
}

/** Why a placing is not what was signed off: a sentence, or null. */
export function beyondSignedOff(
  { totalReserve, expectedProfit }: PlacementPlan,
  { upTo, atLeast = expectedProfit }: SignedOff,
): string | null {
  if (totalReserve > upTo)
    return `The batch takes up to ${formatUsd(totalReserve)} now, and up to ${formatUsd(upTo)} was signed off.`;
  if (expectedProfit < atLeast)
    return `The batch makes ${formatUsd(expectedProfit)} now, and at least ${formatUsd(atLeast)} was signed off.`;
  return null;
}

type SignedPlacing = z.output<typeof placing>;
type SignedRetry = z.output<typeof retrying>;

/** Reads the placing or the retry that a sign-off allows. */
export function signedBatch(call: JsonObject): { placing: SignedPlacing } | { retry: SignedRetry } {
  if ('batch_id' in call) return { retry: z.decode(retrying, call as z.input<typeof retrying>) };
  return { placing: z.decode(placing, call as z.input<typeof placing>) };
}

/** Dollars above which a batch has to be signed off, of which a second person has seen some already; null is never. */
export function signOffAboveOf(above: Usd | null, signedOff: Usd | null): Usd | null {
  return above === null ? null : (Math.max(above, signedOff ?? 0) as Usd);
}
