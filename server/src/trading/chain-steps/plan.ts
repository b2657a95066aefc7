/** Plans conversions into dollars: the steps of each event's plan, as submissions, with the orders whose shares they take. */

import { allotSteps } from '@dutchbook/engine/exit/allot.ts';
import { balancesOf } from '@dutchbook/engine/exit/event-holding.ts';
import { type ExitPlan, planExit } from '@dutchbook/engine/exit/plan-exit.ts';
import type { ExitStep } from '@dutchbook/engine/exit/steps.ts';
import { FRACTION_ONE } from '@dutchbook/units/fraction.ts';
import type { MarketId, TokenId } from '@dutchbook/units/ids.ts';
import { divInteger, mulDiv } from '@dutchbook/units/micro.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import { USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import type { MergeRequest, RedeemRequest } from '@dutchbook/venues/venue-chain.ts';
import { sliced } from '../../platform/runtime/slices.ts';
import { type ExitEvent, type TokenNames, tokenNames } from './event-holdings.ts';
import type { OrderLot } from './free-lots.ts';
import type { TokenChange } from './table.ts';

export type PlannedPart = { lot: OrderLot; shares: Shares; dollars: Usd };

/** Shares that the contract hands out in a step. They go to the batch of `to`, an order whose shares the step took. */
export type PlannedReceipt = {
  to: OrderLot;
  tokenId: TokenId;
  shares: Shares;
  marketId: MarketId;
  marketName: string;
  outcome: string;
};

export type PlannedStep = {
  kind: MergeRequest['kind'] | RedeemRequest['kind'];
  marketIds: MarketId[];
  marketNames: string[];
  /** The token of a redemption; null of a conversion. */
  tokenId: TokenId | null;
  shares: Shares;
  dollars: Usd;
  changes: TokenChange[];
  parts: PlannedPart[];
  handedOut: PlannedReceipt[];
};

export type EventPlan = { event: ExitEvent; plan: ExitPlan };

/**
 * `steps`: all conversions of the plans. `submissions`: those that can be submitted now, each a list of calls in order, as many as the
 * day's quota allows; `isCut` where it allows fewer. `later`: how many more submissions the conversions take that need shares which an
 * earlier one hands out; 0 where `isCut`.
 */
export type CashNowPlan = {
  events: EventPlan[];
  steps: PlannedStep[];
  submissions: PlannedStep[][];
  later: number;
  isCut: boolean;
};

/** `callsMax`: calls in one submission. `submissionsLeft`: of the day's quota. */
export type ConversionTerms = { callsMax: number; submissionsLeft: number };

/** A cent: an event whose conversions bring less is left alone. */
const LEAST_CONVERSION = 10_000 as Usd;
/** Each event takes a few milliseconds: other work goes on after every one. */
const EVENTS_PER_SLICE = 1;

type ConversionStep = ExitStep & { kind: MergeRequest['kind'] };
type EventSteps = { event: ExitEvent; steps: ConversionStep[] };

/** `isWanted`: whether what an event's plan brings is to be submitted. */
export async function planCashNow(
  events: readonly ExitEvent[],
  terms: ConversionTerms,
  isWanted: (plan: ExitPlan, event: ExitEvent) => boolean = () => true,
): Promise<CashNowPlan> {
  const slices = sliced(EVENTS_PER_SLICE);
  const planned: EventPlan[] = [];
  for (const event of events) {
    await slices.spend(1);
    planned.push({ event, plan: planExit(event.holding, constraintsOf(terms)) });
  }
  const converting = planned
    .filter(({ event, plan }) => plan.cashNow.net >= LEAST_CONVERSION && isWanted(plan, event))
    .map(({ event, plan }) => ({ event, steps: plan.cashNow.steps.filter(isConversion) }));
  const groups = submissionsOf(converting, terms.callsMax);
  const submissions = allotted(groups.slice(0, terms.submissionsLeft));
  const steps = allotted([converting]).flat();
  const left = groups.length > terms.submissionsLeft ? 0 : steps.length - submissions.flat().length;
  return {
    events: planned,
    steps,
    submissions,
    later: divInteger(left, terms.callsMax, 'up'),
    isCut: groups.length > terms.submissionsLeft,
  };
}

/** Each event is planned without a quota: the quota is that of all events together, and cuts what they have planned. */
function constraintsOf({ callsMax }: ConversionTerms) {
  return {
    submissionsLeft: Number.MAX_SAFE_INTEGER / callsMax,
    callsPerSubmission: callsMax,
    submissionCost: USD_ZERO,
    leastConversion: LEAST_CONVERSION,
    heldValue: FRACTION_ONE,
  };
}

function isConversion(step: ExitStep): step is ConversionStep {
  return step.kind !== 'sell' && step.kind !== 'hold';
}

/**
 * The steps of an event go together where they fit. A step that takes shares which an earlier submission hands out is left out, with
 * all steps after it: the shares are certain once that submission is confirmed, and the event is planned anew then.
 */
function submissionsOf(events: readonly EventSteps[], callsMax: number): EventSteps[][] {
  const submissions: EventSteps[][] = [];
  let room = 0;
  for (const { event, steps } of events) {
    if (steps.length > room) room = 0;
    for (const part of partsOf(event, steps, callsMax)) {
      if (room === 0) {
        submissions.push([]);
        room = callsMax;
      }
      submissions.at(-1)?.push({ event, steps: part });
      room -= part.length;
    }
  }
  return submissions;
}

function partsOf(event: ExitEvent, steps: readonly ConversionStep[], callsMax: number): ConversionStep[][] {
  const tokens = event.holding.members.flatMap((member) => member.tokens.map(({ tokenId }) => tokenId));
  const held = balancesOf(event.holding);
  /** Shares of each token that were held at first and that no step has taken. */
  const own = new Map(tokens.map((tokenId, place) => [tokenId, held[place] ?? 0]));
  /** Shares of each token that the steps of this submission hand out. */
  let given = new Map<string, number>();
  const parts: ConversionStep[][] = [];
  for (const [place, step] of steps.entries()) {
    if (place % callsMax === 0) {
      parts.push([]);
      given = new Map();
    }
    for (const { tokenId, micro } of step.changes) {
      if (micro > 0) {
        given.set(tokenId, (given.get(tokenId) ?? 0) + micro);
        continue;
      }
      const fromGiven = Math.min(-micro, given.get(tokenId) ?? 0);
      given.set(tokenId, (given.get(tokenId) ?? 0) - fromGiven);
      const rest = (own.get(tokenId) ?? 0) + micro + fromGiven;
      if (rest < 0) return parts.filter((part) => part.length > 0);
      own.set(tokenId, rest);
    }
    parts.at(-1)?.push(step);
  }
  return parts;
}

/** Adds to each step the orders whose shares it takes, their dollars, and which batch gets what the step hands out. */
function allotted(submissions: readonly EventSteps[][]): PlannedStep[][] {
  const left = new Map<string, OrderLot>();
  return submissions.map((groups) =>
    groups.flatMap(({ event, steps }) => {
      const lots = event.lots.map((lot) => left.get(lot.orderId) ?? lot);
      const names = tokenNames(event);
      const byOrder = new Map(lots.map((lot) => [lot.orderId, lot]));
      const taken = allotSteps(steps, lots);
      return steps.map((step, place): PlannedStep => {
        const { parts = [], handedOut = [] } = taken[place] ?? {};
        const ofLots = parts.flatMap(({ orderId, shares, dollars }): PlannedPart[] => {
          const lot = byOrder.get(orderId);
          if (lot === undefined) return [];
          left.set(orderId, without(left.get(orderId) ?? lot, shares));
          return [{ lot, shares, dollars }];
        });
        return {
          kind: step.kind,
          marketIds: step.marketIds,
          marketNames: step.marketIds.map((id) => nameOfMarket(names, id)),
          tokenId: null,
          shares: step.shares,
          dollars: step.dollars,
          changes: step.changes,
          parts: ofLots,
          handedOut: handedOut.flatMap((each) => receiptsOf(each, ofLots, names)),
        };
      });
    }),
  );
}

function without(lot: OrderLot, shares: Shares): OrderLot {
  const rest = (lot.shares - shares) as Shares;
  const cost = lot.shares === 0 ? lot.cost : (mulDiv(lot.cost, rest, lot.shares, 'down') as Usd);
  return { ...lot, shares: rest, cost };
}

function nameOfMarket(names: TokenNames, marketId: MarketId): string {
  return [...names.values()].find((name) => name.marketId === marketId)?.marketName ?? marketId;
}

/** Divides what a step hands out among the batches, by how many of its shares each gave; what rounding leaves goes to the last. */
function receiptsOf(
  { tokenId, shares }: { tokenId: TokenId; shares: Shares },
  parts: readonly PlannedPart[],
  names: TokenNames,
): PlannedReceipt[] {
  const { marketId = '', marketName = '', outcome = '' } = names.get(tokenId) ?? {};
  const byBatch = [...Map.groupBy(parts, ({ lot }) => lot.batchId).values()];
  const total = parts.reduce((sum, part) => sum + part.shares, 0);
  let rest: number = shares;
  return byBatch.flatMap((own, place): PlannedReceipt[] => {
    const [first] = own;
    const weight = own.reduce((sum, part) => sum + part.shares, 0);
    const amount = place === byBatch.length - 1 ? rest : mulDiv(shares, weight, total, 'down');
    rest -= amount;
    if (first === undefined || amount === 0) return [];
    return [{ to: first.lot, tokenId, shares: amount as Shares, marketId, marketName, outcome }];
  });
}
