/** Which order would be placed now, and which gates refuse it: one answer for a person, the trigger, a retry and a rehearsal. */
import type { Fraction } from '@dutchbook/units/fraction.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { Price } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import { remainderGateInputs } from '../batch/remainder.ts';
import type { FeeSchedule } from '../market/market.ts';
import { msUntilCash } from '../opportunity/return-on-time.ts';
import { type OpportunityValue, valueOpportunity } from '../opportunity/value.ts';
import type { ChosenSize, SizeBound } from '../order/choose-size.ts';
import { defaultOrderSize, type PlacementPlan, planPlacement } from '../order/plan.ts';
import { type MeasuredSurvival, NOTHING_MEASURED, survivalOfPlan } from '../order/survival.ts';
import { type Basis, isByVenue } from '../relation/relation.ts';
import type {
  Accounts,
  Blocker,
  FoundRules,
  GateContext,
  GateQuote,
  Holdings,
  PriceBand,
  Soundness,
} from '../risk/context.ts';
import { evaluateGates, signOffBlockers, warningsOf } from '../risk/gates.ts';
import { defaultSplitSize, planSplit, type SplitPlan } from '../split/plan-split.ts';
import type { SplitWay } from '../split/way-in.ts';
import type { DeskSettings } from './desk-settings.ts';
import { sizeByPolicy } from './size-policy.ts';

/**
 * Whether what an earlier run left unfinished is known, whether found opportunities are placed automatically, and what is decided with can
 * be relied on.
 */
export type Readiness = { reconciled: boolean } & FoundRules & Soundness;

/** The desk's settings that an assessment reads. */
export type AssessSettings = Pick<DeskSettings, 'pricing' | 'gates' | 'triggerPct' | 'size' | 'practice'>;

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
  /** Null: the smallest size that satisfies every minimum, or what the policy of sizes chooses where it is placed automatically. */
  size: Shares | null;
  quotedPrice: Price | null;
  /** Split and sell in place of buying. */
  way?: SplitWay | null;
  /** A batch that lacks shares: its remainder is bought in place of whole sets, and `quotes` are those of what is missing. */
  retry?: RetryInput | null;
  automatic: boolean;
  settings: AssessSettings;
  now: Instant;
  activeBatchId: string | null;
  readiness: Readiness;
  /** Dollars of the requester in other batches; left out for automatic orders. */
  askedLately?: Usd | undefined;
  /** Dollars of the clips before it; left out of what is no further clip. */
  seriesSpent?: Usd;
  /** Left out where nothing was measured. */
  survival?: MeasuredSurvival;
} & Holdings;

/** `completes`: a part of the sets is held. `minProfit`: MIN_PROFIT_RETRY_THRESHOLD, but where a person has confirmed that it `mayLose`. */
export type RetryInput = { plan: PlacementPlan; completes: boolean; minProfit: Fraction; mayLose?: boolean };

/** The orders that would be sent. `feeSchedules`: those the plan was made with, by token. */
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
  /** The size that SIZE_POLICY chooses; null for a split, and when a batch is completed. */
  chosen: ChosenSize | null;
  /** The bound that kept the size from being larger; null where the policy did not choose it. */
  sizeBoundedBy: SizeBound | null;
};

/** An extreme leg of a set that pays in every world is no risk where the venue itself says that it does. */
function bandOfFound(
  { basis = null }: Pick<AssessInput['opportunity'], 'basis'>,
  { foundBand = {} }: { foundBand?: Partial<PriceBand> | undefined },
): Partial<PriceBand> {
  return isByVenue(basis) ? foundBand : {};
}

/** What would be sent, and which gates refuse it. */
export function assess(input: AssessInput): Assessment {
  const { settings, automatic, way = null, retry = null } = input;
  const value = valueOpportunity(input.quotes, input.opportunity.targetPrice, settings.pricing);
  const judged = judgedBy(input, value);
  const chosen = way === null && retry === null ? chosenSize(input, judged) : null;
  const isByPolicy = automatic && input.size === null && chosen !== null;
  const wanted = planned(input, value, isByPolicy ? chosen.size : input.size);
  const clipLimits = isByPolicy && settings.size.kind !== 'smallest' ? settings.size : undefined;
  const context: GateContext = { ...judged, ...(clipLimits && { clipLimits }), plan: wanted.plan };
  const unsigned = automatic ? [] : signOffBlockers(context);
  return {
    ...wanted,
    blockers: evaluateGates(context),
    warnings: automatic ? [] : [...warningsOf(context), ...unsigned],
    unsigned,
    chosen,
    sizeBoundedBy: isByPolicy ? chosen.boundedBy : null,
  };
}

/** What the gates look at beside the plan. */
function judgedBy(input: AssessInput, value: OpportunityValue): Omit<GateContext, 'plan' | 'clipLimits'> {
  const { opportunity, quotes, settings, automatic, way = null } = input;
  const { placesFound, foundBand, ...readiness } = input.readiness;
  const worth = worthOf(input, value);
  return {
    automatic,
    practice: settings.practice,
    now: input.now,
    active: opportunity.active,
    // A batch that is half bought is completed even where found opportunities are not placed.
    isHeldBack: automatic && !worth.completes && opportunity.relationId !== null && !placesFound,
    quotes,
    ...worth,
    untilCashMs: msUntilCash(quotes, opportunity.targetPrice, input.now),
    quotedPrice: input.quotedPrice,
    activeBatchId: input.activeBatchId,
    ...readiness,
    settings: { ...settings.gates, ...bandOfFound(opportunity, { foundBand }) },
    // A missing approval is sent in front of the split.
    accounts: way === null ? input.accounts : withoutAllowances(input.accounts),
    deskLimits: input.deskLimits,
    ownOrders: input.ownOrders,
    spentBefore: input.spentBefore,
    ...(input.askedLately !== undefined && { askedLately: input.askedLately }),
    ...(input.seriesSpent !== undefined && { seriesSpent: input.seriesSpent }),
  };
}

function chosenSize(
  {
    opportunity: { targetPrice },
    quotes,
    settings: { size: policy, triggerPct },
    survival = NOTHING_MEASURED,
  }: AssessInput,
  judged: ReturnType<typeof judgedBy>,
): ChosenSize {
  const survivalOf = (plan: PlacementPlan) => survivalOfPlan(survival, quotes, plan).share;
  return sizeByPolicy(judged, { targetPrice, policy, triggerPct, survivalOf });
}

/** What buying the opportunity now, splitting into it, or completing its batch, would send. */
function planned(input: AssessInput, value: OpportunityValue, wanted: Shares | null): Planned {
  const { opportunity, quotes, settings, way = null, retry = null } = input;
  const { targetPrice } = opportunity;
  const common = { value, quotes, feeSchedules: feeSchedulesOf(quotes) };
  if (retry !== null) return { ...common, plan: retry.plan, split: null };
  const smallest = way === null ? defaultOrderSize : defaultSplitSize;
  const size = wanted ?? smallest(quotes, settings.gates);
  const split = way === null ? null : { way, plan: planSplit(way, quotes, size, targetPrice) };
  return { ...common, plan: split?.plan ?? planPlacement(quotes, size, targetPrice), split };
}

/** The value that the gates judge, and the least profit that it needs. */
function worthOf(
  { automatic, settings, retry = null }: AssessInput,
  value: OpportunityValue,
): Pick<GateContext, 'value' | 'completes' | 'profitFloorPct' | 'mayLose'> {
  if (retry === null) return { value, completes: false, profitFloorPct: automatic ? settings.triggerPct : null };
  const { plan: _, ...worth } = remainderGateInputs(value, retry, retry.minProfit);
  return { ...worth, mayLose: retry.mayLose ?? false };
}

function withoutAllowances(accounts: Accounts): Accounts {
  return new Map([...accounts].map(([venue, account]) => [venue, { ...account, allowances: null }]));
}

function feeSchedulesOf(quotes: readonly GateQuote[]): Map<string, FeeSchedule> {
  const schedules = new Map<string, FeeSchedule>();
  for (const { tokenId, market } of quotes) {
    if (tokenId !== null && market?.feeSchedule != null) schedules.set(tokenId, market.feeSchedule);
  }
  return schedules;
}

/**
 * Of a plan that the books cannot fill, only what holds of any size: a refusal of its dollars judges a part of the orders, which is
 * not what was asked for.
 */
export function judgeable(blockers: readonly Blocker[], { shortOf }: Pick<PlacementPlan, 'shortOf'>): Blocker[] {
  return blockers.filter(({ gate, actual }) => shortOf.length === 0 || actual === null || !JUDGES_DOLLARS.has(gate));
}

const JUDGES_DOLLARS: ReadonlySet<string> = new Set([
  'profit',
  'return-on-time',
  'balance',
  'allowance',
  'clip',
  'loss-allowance',
  'limit-per-order',
  'limit-per-batch',
  'limit-per-day',
  'limit-open-exposure',
  'sign-off',
]);

/** One sentence each, as a refusal is read: "Trading is disarmed. Leg 2: book is 48 s old." */
export function sentences(blockers: readonly Blocker[]): string[] {
  return blockers.map(({ message }) => `${message.charAt(0).toUpperCase()}${message.slice(1)}.`);
}
