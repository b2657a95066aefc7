/** Batches that spend more than one person may: how they are asked for, and what a sign-off of one says. */
import { id } from '@dutchbook/contract/listing.ts';
import { type WayIn, wayIn } from '@dutchbook/contract/opportunities.ts';
import { setPrice, shares, usd } from '@dutchbook/contract/quantities.ts';
import type { PlacementPlan } from '@dutchbook/engine/order/plan.ts';
import type { Fraction } from '@dutchbook/units/fraction.ts';
import { MICRO, mulDiv } from '@dutchbook/units/micro.ts';
import type { Price } from '@dutchbook/units/price.ts';
import { sharesToText } from '@dutchbook/units/shares.ts';
import { formatUsd, type Usd } from '@dutchbook/units/usd.ts';
import * as z from 'zod/mini';
import type { JsonObject } from '../audit/record.ts';
import { SignOffNeeded } from '../sign-offs/ask.ts';

const NAMED_MAX = 3;

const placing = z.object({
  opportunity_id: id,
  order_size: shares,
  quoted_price: z.nullable(setPrice),
  way_in: z.nullable(wayIn),
  up_to_usd: usd,
});
const retrying = z.object({ batch_id: id, up_to_usd: usd });

type Quoted = { quotedPrice: Price | null; wayIn?: WayIn | undefined };

/** What is signed off where so many dollars are asked for: prices may move as far as from the quote of an order placed by hand. */
export function upToOf(total: Usd, maxDeviation: Fraction): Usd {
  return mulDiv(total, MICRO + maxDeviation, MICRO, 'down') as Usd;
}

/** How a placing is asked for that one person may not do alone. */
export function placingToSignOff(
  opportunity: { id: string },
  { plan, upTo }: { plan: PlacementPlan; upTo: Usd },
  { quotedPrice, wayIn: way = undefined }: Quoted,
): SignOffNeeded {
  const call = z.encode(placing, {
    opportunity_id: opportunity.id,
    order_size: plan.size,
    quoted_price: quotedPrice,
    way_in: way ?? null,
    up_to_usd: upTo,
  });
  const how = way === 'split' ? 'Split dollars into' : 'Buy';
  const summary = `${how} ${sharesToText(plan.size)} sets of ${namesOf(plan)} for about ${formatUsd(plan.totalReserve)} and up to ${formatUsd(upTo)}, to make ${formatUsd(plan.expectedProfit)}`;
  return new SignOffNeeded({ kind: 'batch', call: call as JsonObject, summary });
}

function namesOf({ orders }: PlacementPlan): string {
  const names = [...new Set(orders.map(({ outcome, marketName }) => `${outcome} “${marketName}”`))];
  const more = names.length - NAMED_MAX;
  return new Intl.ListFormat('en-GB').format([...names.slice(0, NAMED_MAX), ...(more > 0 ? [`${more} more`] : [])]);
}

/** The same of a retry; `upTo` is what the batch may come to by it. */
export function retryToSignOff(batchId: string, { plan, upTo }: { plan: PlacementPlan; upTo: Usd }): SignOffNeeded {
  const summary = `Retry batch ${batchId.slice(0, 8)}: buy ${namesOf(plan)} for about ${formatUsd(plan.totalReserve)}, which brings it to up to ${formatUsd(upTo)}`;
  const call = z.encode(retrying, { batch_id: batchId, up_to_usd: upTo });
  return new SignOffNeeded({ kind: 'batch', call, summary, batchId });
}

/** Why a placing is not what was signed off: a sentence, or null. */
export function beyondSignedOff({ totalReserve }: PlacementPlan, signedOff: Usd): string | null {
  if (totalReserve <= signedOff) return null;
  return `The batch takes up to ${formatUsd(totalReserve)} now, and up to ${formatUsd(signedOff)} was signed off.`;
}

type SignedPlacing = z.output<typeof placing>;
type SignedRetry = z.output<typeof retrying>;

/** What is placed, or retried, by a sign-off. */
export function signedBatch(call: JsonObject): { placing: SignedPlacing } | { retry: SignedRetry } {
  if ('batch_id' in call) return { retry: z.decode(retrying, call as z.input<typeof retrying>) };
  return { placing: z.decode(placing, call as z.input<typeof placing>) };
}

/** Dollars above which a batch has to be signed off, of which a second person has seen some already; null is never. */
export function signOffAboveOf(above: Usd | null, signedOff: Usd | null): Usd | null {
  return above === null ? null : (Math.max(above, signedOff ?? 0) as Usd);
}
