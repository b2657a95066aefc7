/** Which order would be placed now, and which gates refuse it: one answer for a person, the trigger and a rehearsal. */
import type { Instant } from '@dutchbook/units/instant.ts';
import type { Price } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import type { FeeSchedule } from '../market/market.ts';
import { type OpportunityValue, valueOpportunity } from '../opportunity/value.ts';
import { defaultOrderSize, type PlacementPlan, planPlacement } from '../order/plan.ts';
import { type Basis, isByVenue } from '../relation/relation.ts';
import type { Allowances } from '../risk/allowance.ts';
import type { Blocker, FoundRules, GateContext, GateQuote, LimitState, PriceBand, Soundness } from '../risk/context.ts';
import { evaluateGates, signOffBlockers, warningsOf } from '../risk/gates.ts';
import { defaultSplitSize, planSplit, type SplitPlan } from '../split/plan-split.ts';
import type { SplitWay } from '../split/way-in.ts';
import type { DeskSettings } from './desk-settings.ts';

/**
 * Whether orders may leave at all, what an earlier run unfinished is known, whether found opportunities are placed
 * automatically, and what is decided with can be relied on.
 */
export type Readiness = { armed: boolean; reconciled: boolean } & FoundRules & Soundness;

/** Of those that the desk decides by. */
export type AssessSettings = Pick<DeskSettings, 'pricing' | 'gates' | 'triggerPct' | 'practice'>;

/** `basis`: of the relation that it was found by. */
export type AssessedOpportunity = {
  active: boolean;
  targetPrice: Price;
  relationId: string | null;
  basis?: Basis | null;
};

export type AssessInput = {
  opportunity: AssessedOpportunity;
  quotes: readonly GateQuote[];
  /** Null: the smallest size that satisfies every minimum. */
  size: Shares | null;
  quotedPrice: Price | null;
  /** Split and sell in place of buying. */
  way?: SplitWay | null;
  automatic: boolean;
  settings: AssessSettings;
  now: Instant;
  cash: Usd | null;
  allowances: Allowances | null;
  activeBatchId: string | null;
  readiness: Readiness;
  limitState: LimitState;
  /** Dollars of the requester in other batches; left out for automatic orders. */
  askedLately?: Usd | undefined;
};

/** What would be sent. `feeSchedules` are those the plan was made with, by token. */
export type Planned = {
  value: OpportunityValue;
  plan: PlacementPlan;
  /** The way in by a split, which `plan` then is of; null where it is bought. */
  split: { way: SplitWay; plan: SplitPlan } | null;
  quotes: readonly GateQuote[];
  feeSchedules: Map<string, FeeSchedule>;
};

/** `blockers` refuse the order as it stands; `warnings` are for the person who places it. */
export type Assessment = Planned & {
  blockers: Blocker[];
  warnings: Blocker[];
  /** A person may have it placed once a second one has signed it off; it is among the warnings. */
  needsSignOff: boolean;
};

/** What buying the opportunity now, or splitting into it, would send. */
export function planned(
  input: Pick<AssessInput, 'quotes' | 'size' | 'way' | 'settings'> & { opportunity: { targetPrice: Price } },
): Planned {
  const { opportunity, quotes, settings, way = null } = input;
  const { targetPrice } = opportunity;
  const defaultSize = way === null ? defaultOrderSize : defaultSplitSize;
  const size = input.size ?? defaultSize(quotes, settings.gates);
  const split = way === null ? null : { way, plan: planSplit(way, quotes, size, targetPrice) };
  return {
    value: valueOpportunity(quotes, targetPrice, settings.pricing),
    plan: split?.plan ?? planPlacement(quotes, size, targetPrice),
    split,
    quotes,
    feeSchedules: feeSchedulesOf(quotes),
  };
}

/** An extreme leg of a set that pays in every world is no risk where the venue itself says that it does. */
export function bandOfFound(
  { basis = null }: Pick<AssessInput['opportunity'], 'basis'>,
  { foundBand = {} }: { foundBand?: Partial<PriceBand> | undefined },
): Partial<PriceBand> {
  return isByVenue(basis) ? foundBand : {};
}

/** What would be sent, and which gates refuse it. */
export function assess(input: AssessInput): Assessment {
  const { opportunity, quotes, settings } = input;
  const wanted = planned(input);
  const { placesFound, foundBand, ...readiness } = input.readiness;
  const context: GateContext = {
    automatic: input.automatic,
    practice: settings.practice,
    now: input.now,
    active: opportunity.active,
    isHeldBack: input.automatic && opportunity.relationId !== null && !placesFound,
    quotes,
    value: wanted.value,
    plan: wanted.plan,
    completes: false,
    profitFloorPct: input.automatic ? settings.triggerPct : null,
    quotedPrice: input.quotedPrice,
    balance: input.cash,
    // What moves dollars into a split is approved in front of it, where that is missing.
    allowances: wanted.split === null ? input.allowances : null,
    activeBatchId: input.activeBatchId,
    ...readiness,
    settings: { ...settings.gates, ...bandOfFound(opportunity, { foundBand }) },
    ...input.limitState,
    ...(input.askedLately !== undefined && { askedLately: input.askedLately }),
  };
  const unsigned = input.automatic ? [] : signOffBlockers(context);
  return {
    ...wanted,
    blockers: evaluateGates(context),
    warnings: input.automatic ? [] : [...warningsOf(context), ...unsigned],
    needsSignOff: unsigned.length > 0,
  };
}

function feeSchedulesOf(quotes: readonly GateQuote[]): Map<string, FeeSchedule> {
  const schedules = new Map<string, FeeSchedule>();
  for (const { tokenId, market } of quotes) {
    if (tokenId !== null && market?.feeSchedule != null) schedules.set(tokenId, market.feeSchedule);
  }
  return schedules;
}

/** One sentence each, as a refusal is read: "Trading is disarmed. Leg 2: book is 48 s old." */
export function sentences(blockers: readonly Blocker[]): string[] {
  return blockers.map(({ message }) => `${message.charAt(0).toUpperCase()}${message.slice(1)}.`);
}
