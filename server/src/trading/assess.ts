import type { Settings } from '@dutchbook/contract/system-settings.ts';
import { type OpportunityValue, valueOpportunity } from '@dutchbook/engine/opportunity/value.ts';
import { defaultOrderSize, type PlacementPlan, planPlacement } from '@dutchbook/engine/order/plan.ts';
import type { Blocker, GateContext, LimitState, Soundness } from '@dutchbook/engine/risk/context.ts';
import { automaticOnlyBlockers, evaluateGates } from '@dutchbook/engine/risk/gates.ts';
import type { Fraction } from '@dutchbook/units/fraction.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { Price } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import type { TrustedQuote } from '../parts.ts';
import { gateSettings, orderMinimums, pricingSettings, triggerThreshold } from '../system-settings/in-units.ts';

/** Whether orders may leave at all, what an earlier run left behind is known, and what is decided with can be relied on. */
export type Readiness = { armed: boolean; reconciled: boolean } & Soundness;

export type AssessInput = {
  opportunity: { active: boolean; targetPrice: Price };
  quotes: readonly TrustedQuote[];
  /** Null: the smallest size that satisfies every minimum. */
  size: Shares | null;
  quotedPrice: Price | null;
  automatic: boolean;
  settings: Settings;
  now: Instant;
  cash: Usd | null;
  activeBatchId: string | null;
  readiness: Readiness;
  limitState: LimitState;
};

/**
 * `blockers` refuse the order as it stands; `warnings` would refuse it only if nobody had looked. `feeRates` are those
 * the plan was made with, by token.
 */
export type Assessment = {
  value: OpportunityValue;
  plan: PlacementPlan;
  quotes: readonly TrustedQuote[];
  feeRates: Map<string, Fraction>;
  blockers: Blocker[];
  warnings: Blocker[];
};

/** What buying the opportunity now would send, and which gates refuse it: the same for a person and for the trigger. */
export function assess(input: AssessInput): Assessment {
  const { opportunity, quotes, settings } = input;
  const value = valueOpportunity(quotes, opportunity.targetPrice, pricingSettings(settings));
  const size = input.size ?? defaultOrderSize(quotes, orderMinimums(settings));
  const plan = planPlacement(quotes, size, opportunity.targetPrice);
  const context: GateContext = {
    automatic: input.automatic,
    now: input.now,
    active: opportunity.active,
    quotes,
    value,
    plan,
    profitFloorPct: input.automatic ? triggerThreshold(settings) : null,
    quotedPrice: input.quotedPrice,
    balance: input.cash,
    activeBatchId: input.activeBatchId,
    ...input.readiness,
    settings: gateSettings(settings),
    ...input.limitState,
  };
  return {
    value,
    plan,
    quotes,
    feeRates: feeRatesOf(quotes),
    blockers: evaluateGates(context),
    warnings: input.automatic ? [] : automaticOnlyBlockers(context),
  };
}

function feeRatesOf(quotes: readonly TrustedQuote[]): Map<string, Fraction> {
  const rates = new Map<string, Fraction>();
  for (const { tokenId, market } of quotes) {
    if (tokenId !== null && market?.feeRate != null) rates.set(tokenId, market.feeRate);
  }
  return rates;
}

/** One sentence each, as a refusal is read: "Trading is disarmed. Leg 2: book is 48 s old." */
export function sentences(blockers: readonly Blocker[]): string[] {
  return blockers.map(({ message }) => `${message.charAt(0).toUpperCase()}${message.slice(1)}.`);
}
