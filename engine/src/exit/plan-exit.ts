/** The three ways out of what is held of an event, side by side, and the mix of them that brings most. */
import { FRACTION_ONE, type Fraction } from '@dutchbook/units/fraction.ts';
import { divInteger, mulDiv } from '@dutchbook/units/micro.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import { bestMix } from './best-mix.ts';
import { type Carried, carryOut } from './carry-out.ts';
import { type ConversionCall, pairsOfLines } from './conversion.ts';
import { balancesOf, type EventHolding } from './event-holding.ts';
import { type ExitStep, stepsOf } from './steps.ts';

/** `callsPerSubmission`: so many calls go to the venue together, and use one unit of the quota. */
export type ExitConstraints = {
  submissionsLeft: number;
  callsPerSubmission: number;
  /** Gas of one submission in dollars; zero where the venue pays it. */
  submissionCost: Usd;
  /** Calls that move less than this together are not worth a submission. */
  leastConversion: Usd;
  /** What a dollar that is certain, once all has resolved, is worth now: 1 where waiting costs nothing. */
  heldValue: Fraction;
};

/** `net`: usable soon, after fees and gas. `atResolution`: what stays pays at least, at `most` it pays more. */
export type ExitRoute = {
  steps: ExitStep[];
  net: Usd;
  atResolution: Usd;
  most: Usd;
  submissions: number;
  gas: Usd;
  /** `net` with what `atResolution` is worth now. */
  worth: Usd;
  /** Shares that stay, in millionths: two of each member, in the order of its outcomes. */
  left: number[];
};

export type ExitPlan = { sell: ExitRoute; cashNow: ExitRoute; hold: ExitRoute; best: ExitRoute };

/** Tokens held of an event beyond which each way is weighed by itself alone: a mix of so many takes a twentieth of a second. */
const MIXED_MAX = 24;

/** No route is worth more than `best`; of those that are worth the same it has most dollars now, then fewest submissions and steps. */
export function planExit(holding: EventHolding, constraints: ExitConstraints): ExitPlan {
  const route = (calls: readonly ConversionCall[], sales: readonly number[] | null) =>
    routeOf(holding, allowed(holding, calls, constraints), sales, constraints);
  const nothing = balancesOf(holding).map(() => 0);
  const sell = route([], null);
  const hold = route([], nothing);
  // A dollar now, rather than the same dollar later.
  const heldValue = (constraints.heldValue / FRACTION_ONE) * (1 - 1e-5);
  const isFew = balancesOf(holding).filter((micro) => micro > 0).length <= MIXED_MAX;
  const mixes = (isFew ? [false, true] : []).map((mayConvert) => bestMix(holding, { mayConvert, heldValue }));
  const conversions = [...singleConversions(holding), ...mixes.map(({ calls }) => calls)];
  const cashNow = bestOf(
    conversions.map((calls) => route(calls, nothing)),
    cashOf,
  );
  const mixed = [
    ...mixes.map(({ calls, sales }) => route(calls, sales)),
    ...conversions.flatMap((calls) => [route(calls, null), route(calls, nothing)]),
  ];
  return {
    sell,
    cashNow: cashNow ?? hold,
    hold,
    best: bestOf([hold, sell, ...mixed], (each) => [each.worth, ...cashOf(each)]) ?? hold,
  };
}

/** Up to so many members every set of them is tried by itself; beyond, all that can be converted at once. */
const SETS_OF_MAX = 6;

/** Conversions of one kind each, as far as they go: the mix is compared with them. */
function singleConversions(holding: EventHolding): ConversionCall[][] {
  const { structure, members } = holding;
  const merges = members.map((_, member) => asFarAsItGoes('merge', [member]));
  if (structure.kind === 'whole_event') {
    const whole = asFarAsItGoes('horizontal_merge', []);
    return [
      merges,
      [whole],
      [whole, ...merges],
      [...merges, whole],
      ...oneIntoOthers(holding).map((one) => [one, ...merges]),
    ];
  }
  if (structure.kind === 'thresholds') {
    const lines = pairsOfLines(structure.lines).map((pair) => asFarAsItGoes('directional_merge', pair));
    return [merges, [...lines, ...merges], [...merges, ...lines], ...lines.map((one) => [one, ...merges])];
  }
  if (structure.kind !== 'negative_risk' || structure.feeBips === null) return [merges];
  const balances = balancesOf(holding);
  const against = members.flatMap((_, member) => ((balances[2 * member + 1] ?? 0) > 0 ? [member] : []));
  const sets = against.length <= SETS_OF_MAX ? subsetsOf(against) : [against];
  return [
    merges,
    ...sets.flatMap((set) => {
      const convert = asFarAsItGoes('convert', set);
      return [[convert], [convert, ...merges]];
    }),
  ];
}

/** A second outcome becomes the first outcome of all others, which merge with their second ones; of many, that which is held least. */
function oneIntoOthers(holding: EventHolding): ConversionCall[] {
  const held = balancesOf(holding).flatMap((micro, token) => (token % 2 === 1 && micro > 0 ? [{ micro, token }] : []));
  held.sort((a, b) => a.micro - b.micro);
  const tried = held.length <= SETS_OF_MAX ? held : held.slice(0, 1);
  return tried.map(({ token }) => asFarAsItGoes('convert', [(token - 1) / 2]));
}

function asFarAsItGoes(kind: ConversionCall['kind'], members: readonly number[]): ConversionCall {
  return { kind, members, micro: Number.MAX_SAFE_INTEGER };
}

/** Subsets of the members, without the empty one. */
function subsetsOf(members: readonly number[]): number[][] {
  return Array.from({ length: 2 ** members.length - 1 }, (_, set) =>
    members.filter((_, place) => Math.floor((set + 1) / 2 ** place) % 2 === 1),
  );
}

/** The calls that fit into the quota; none where they move too little. */
function allowed(
  holding: EventHolding,
  calls: readonly ConversionCall[],
  { submissionsLeft, callsPerSubmission, leastConversion }: ExitConstraints,
): ConversionCall[] {
  const able = carryOut(holding, calls, null)
    .calls.map(({ call }) => call)
    .slice(0, submissionsLeft * callsPerSubmission);
  return able.reduce((sum, { micro }) => sum + micro, 0) < leastConversion ? [] : able;
}

function routeOf(
  holding: EventHolding,
  calls: readonly ConversionCall[],
  sales: readonly number[] | null,
  { callsPerSubmission, submissionCost, heldValue }: ExitConstraints,
): ExitRoute {
  const carried: Carried = carryOut(holding, calls, sales);
  const submissions = divInteger(carried.calls.length, callsPerSubmission, 'up');
  const gas = submissions * submissionCost;
  const net = carried.converted + carried.sold - gas;
  return {
    steps: stepsOf(holding, carried),
    net: net as Usd,
    atResolution: carried.least as Usd,
    most: carried.most as Usd,
    submissions,
    gas: gas as Usd,
    worth: (net + mulDiv(carried.least, heldValue, FRACTION_ONE, 'down')) as Usd,
    left: carried.left,
  };
}

/** The largest by the first figure; of those that are as large, by the next ones. */
function bestOf(routes: readonly ExitRoute[], figuresOf: (route: ExitRoute) => number[]): ExitRoute | null {
  return routes.reduce<ExitRoute | null>((best, route) => {
    if (best === null) return route;
    const others = figuresOf(best);
    const difference = figuresOf(route)
      .map((figure, nth) => figure - (others[nth] ?? 0))
      .find((by) => by !== 0);
    return difference !== undefined && difference > 0 ? route : best;
  }, null);
}

function cashOf({ net, submissions, steps }: ExitRoute): number[] {
  return [net, -submissions, -steps.length];
}
