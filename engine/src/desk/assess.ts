/** Which order would be placed now, and which gates refuse it: one answer for a person, the trigger, a retry and a rehearsal. */
import type { Fraction } from '@dutchbook/units/fraction.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { Price } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import { remainderGateInputs } from '../batch/remainder.ts';
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
  /** A batch that lacks shares: its remainder is bought in place of whole sets, and `quotes` are those of what is missing. */
  retry?: RetryInput | null;
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

/** `completes`: a part of the sets is held. `minProfit`: MIN_PROFIT_RETRY_THRESHOLD. */
export type RetryInput = { plan: PlacementPlan; completes: boolean; minProfit: Fraction };

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
  /** Why a person may have it placed only once a second one has signed it off; it is among the warnings. */
  unsigned: Blocker[];
};

/** What buying the opportunity now, splitting into it, or completing its batch, would send. */
export function planned(
  input: Pick<AssessInput, 'quotes' | 'size' | 'way' | 'retry' | 'settings'> & { opportunity: { targetPrice: Price } },
): Planned {
  const { opportunity, quotes, settings, way = null, retry = null } = input;
  const { targetPrice } = opportunity;
  const common = {
    value: valueOpportunity(quotes, targetPrice, settings.pricing),
    ...{ quotes, feeSchedules: feeSchedulesOf(quotes) },
  };
  if (retry !== null) return { ...common, plan: retry.plan, split: null };
  const defaultSize = way === null ? defaultOrderSize : defaultSplitSize;
  const size = input.size ?? defaultSize(quotes, settings.gates);
  const split = way === null ? null : { way, plan: planSplit(way, quotes, size, targetPrice) };
  return { ...common, plan: split?.plan ?? planPlacement(quotes, size, targetPrice), split };
}

/** An extreme leg of a set that pays in every world is no risk where the venue itself says that it does. */
function bandOfFound(
  { basis = null }: Pick<AssessInput['opportunity'], 'basis'>,
  { foundBand = {} }: { foundBand?: Partial<PriceBand> | undefined },
): Partial<PriceBand> {
  return isByVenue(basis) ? foundBand : {};
}

/** What would be sent, and which gates refuse it. */
export function assess(input: AssessInput): Assessment {
  const { opportunity, quotes, settings, automatic } = input;
  const wanted = planned(input);
  const worth = worthOf(input, wanted);
  const { placesFound, foundBand, ...readiness } = input.readiness;
  const context: GateContext = {
    automatic,
    practice: settings.practice,
    now: input.now,
    active: opportunity.active,
    // What is half bought is completed.
    isHeldBack: automatic && !worth.completes && opportunity.relationId !== null && !placesFound,
    quotes,
    ...worth,
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
  const unsigned = automatic ? [] : signOffBlockers(context);
  return {
    ...wanted,
    blockers: evaluateGates(context),
    warnings: automatic ? [] : [...warningsOf(context), ...unsigned],
    unsigned,
  };
}

/** What profit is judged by. */
function worthOf(
  { automatic, settings, retry = null }: AssessInput,
  { value, plan }: Planned,
): Pick<GateContext, 'value' | 'plan' | 'completes' | 'profitFloorPct'> {
  if (retry !== null) return remainderGateInputs(value, retry, retry.minProfit);
  return { value, plan, completes: false, profitFloorPct: automatic ? settings.triggerPct : null };
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
