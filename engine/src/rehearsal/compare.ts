/** Two runs over the same books: the result of each, and at which opportunities and moments they differ. */
import type { Instant } from '@dutchbook/units/instant.ts';
import type { Percent } from '@dutchbook/units/percent.ts';
import type { Price } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import { addUsd, subtractUsd, USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import type { BatchOutcome } from './batch-outcome.ts';

/**
 * How orders fill: against the books of the decision; against those that stand when our orders have been reaching the venue; as late
 * as the slowest tenth, of what stood all the while.
 */
export const MODELS = ['touch', 'measured', 'pessimistic'] as const;
export type Model = (typeof MODELS)[number];

type Profits = Record<Model, Usd>;

/**
 * A trigger of a run. `gates`: those that refused, null where no batch was asked for. `outcomes`: what came of its batch, null where
 * there is none. `words`: all that was decided; equal words mean an equal decision. `clip`: 1 of what a trigger buys, and higher of each batch
 * that buys what still pays after that. `atRisk`: what its batch loses at worst on unequal legs, until `until`.
 */
export type RunTrigger = {
  opportunityId: string;
  at: Instant;
  currentPrice: Price;
  profitPct: Percent;
  size: Shares | null;
  gates: readonly string[] | null;
  refusals: readonly string[] | null;
  outcomes: Record<Model, Pick<BatchOutcome, 'kind' | 'profit'>> | null;
  words: string;
  clip: number;
  atRisk: Usd;
  until: Instant;
};

/** `worstBatch`: of the batch that lost most; null where none has lost. */
export type ModelFigures = {
  profit: Usd;
  completed: number;
  unwound: number;
  unfilled: number;
  worstBatch: Usd | null;
};

export type RunFigures = {
  triggers: number;
  batches: number;
  refused: number;
  refusals: Record<string, number>;
  limitHits: number;
  models: Record<Model, ModelFigures>;
  /** Batches that bought what still paid after another one. */
  clips: number;
  /** The highest sum at risk over all batches at one moment. */
  worstAtRisk: Usd;
};

export function figuresOf(triggers: readonly RunTrigger[]): RunFigures {
  const refusals: Record<string, number> = {};
  const gates = triggers.flatMap((trigger) => trigger.gates ?? []);
  for (const gate of gates) refusals[gate] = (refusals[gate] ?? 0) + 1;
  const bought = triggers.filter(({ outcomes }) => outcomes !== null);
  return {
    triggers: ofTriggers(triggers).length,
    batches: bought.length,
    clips: bought.filter(({ clip }) => clip > 1).length,
    worstAtRisk: worstAtRiskOf(bought),
    refused: triggers.filter((trigger) => trigger.gates !== null && trigger.gates.length > 0).length,
    refusals,
    limitHits: gates.filter((gate) => gate.startsWith('limit-')).length,
    models: byModel((model) => modelFigures(triggers, model)),
  };
}

/** Cumulative profit at the end of each of a number of equal parts of the span. */
export function courseOf(
  triggers: readonly RunTrigger[],
  { from, until, parts }: { from: Instant; until: Instant; parts: number },
): { at: Instant; profit: Usd }[] {
  return Array.from({ length: parts }, (_, part) => {
    const at = Math.round(from + ((until - from) * (part + 1)) / parts) as Instant;
    return {
      at,
      profit: profitOf(
        triggers.filter((trigger) => trigger.at <= at),
        'measured',
      ),
    };
  });
}

function ofTriggers(triggers: readonly RunTrigger[]): RunTrigger[] {
  return triggers.filter(({ clip }) => clip === 1);
}

function worstAtRiskOf(bought: readonly RunTrigger[]): Usd {
  const changes = bought
    .flatMap(({ at, until, atRisk }) => [
      { at, dollars: atRisk },
      { at: until, dollars: -atRisk },
    ])
    .sort((one, other) => one.at - other.at || one.dollars - other.dollars);
  let [now, worst] = [0, 0];
  for (const { dollars } of changes) {
    now += dollars;
    worst = Math.max(worst, now);
  }
  return worst as Usd;
}

function modelFigures(triggers: readonly RunTrigger[], model: Model): ModelFigures {
  const figures: ModelFigures = { profit: USD_ZERO, completed: 0, unwound: 0, unfilled: 0, worstBatch: null };
  for (const { outcomes } of triggers) {
    if (outcomes === null) continue;
    const { kind, profit } = outcomes[model];
    figures[kind] += 1;
    figures.profit = addUsd(figures.profit, profit);
    if (profit < (figures.worstBatch ?? 0)) figures.worstBatch = profit;
  }
  return figures;
}

/** At one moment; null where that run has not triggered then. */
export type MomentOfRuns = { at: Instant; present: RunTrigger | null; proposed: RunTrigger | null };

export type OpportunityDifference = {
  opportunityId: string;
  presentTriggers: number;
  proposedTriggers: number;
  presentBatches: number;
  proposedBatches: number;
  /** Proposed less present. */
  profit: Profits;
  /** The first moments at which the runs differ. */
  moments: MomentOfRuns[];
};

/** Compares two runs: differing opportunities, the most dollars first. */
export function compareRuns(
  present: readonly RunTrigger[],
  proposed: readonly RunTrigger[],
  momentsMax: number,
): OpportunityDifference[] {
  const before = Map.groupBy(present, ({ opportunityId }) => opportunityId);
  const after = Map.groupBy(proposed, ({ opportunityId }) => opportunityId);
  const ids = new Set([...before.keys(), ...after.keys()]);
  const differences = [...ids].flatMap((id) => differenceOf(id, before.get(id) ?? [], after.get(id) ?? [], momentsMax));
  return differences.toSorted((one, other) => weightOf(other) - weightOf(one) || triggersOf(other) - triggersOf(one));
}

function differenceOf(
  opportunityId: string,
  present: readonly RunTrigger[],
  proposed: readonly RunTrigger[],
  momentsMax: number,
): OpportunityDifference[] {
  const profit = byModel((model) => subtractUsd(profitOf(proposed, model), profitOf(present, model)));
  const moments = momentsOf(present, proposed).filter(
    ({ present: one, proposed: other }) => one?.words !== other?.words,
  );
  if (moments.length === 0 && MODELS.every((model) => profit[model] === 0)) return [];
  return [
    {
      opportunityId,
      presentTriggers: ofTriggers(present).length,
      proposedTriggers: ofTriggers(proposed).length,
      presentBatches: batchesOf(present),
      proposedBatches: batchesOf(proposed),
      profit,
      moments: moments.slice(0, momentsMax),
    },
  ];
}

/** In the order of time; of several of one run at one moment the first is paired with the first of the other. */
function momentsOf(...runs: [present: readonly RunTrigger[], proposed: readonly RunTrigger[]]): MomentOfRuns[] {
  // A rise that waited for its record was decided later than it rose.
  const [present = [], proposed = []] = runs.map((run) => run.toSorted((a, b) => a.at - b.at));
  const moments: MomentOfRuns[] = [];
  let [one, other] = [0, 0];
  for (;;) {
    const [before, after] = [present[one] ?? null, proposed[other] ?? null];
    if (before === null && after === null) return moments;
    const at = Math.min(before?.at ?? Number.POSITIVE_INFINITY, after?.at ?? Number.POSITIVE_INFINITY) as Instant;
    const moment = { at, present: before?.at === at ? before : null, proposed: after?.at === at ? after : null };
    if (moment.present !== null) one += 1;
    if (moment.proposed !== null) other += 1;
    moments.push(moment);
  }
}

function profitOf(triggers: readonly RunTrigger[], model: Model): Usd {
  return triggers.reduce((sum, { outcomes }) => addUsd(sum, outcomes?.[model].profit ?? USD_ZERO), USD_ZERO);
}

function batchesOf(triggers: readonly RunTrigger[]): number {
  return triggers.filter(({ outcomes }) => outcomes !== null).length;
}

function weightOf({ profit }: OpportunityDifference): number {
  return Math.max(...MODELS.map((model) => Math.abs(profit[model])));
}

function triggersOf({ presentTriggers, proposedTriggers }: OpportunityDifference): number {
  return Math.abs(proposedTriggers - presentTriggers);
}

export function byModel<Figure>(figureOf: (model: Model) => Figure): Record<Model, Figure> {
  return { touch: figureOf('touch'), measured: figureOf('measured'), pessimistic: figureOf('pessimistic') };
}
