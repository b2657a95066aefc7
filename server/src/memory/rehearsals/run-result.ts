/** The result of a rehearsal as the contract has it. */
import type { RehearsalDifference, RehearsedDecision, RunTotals } from '@dutchbook/contract/rehearsals.ts';
import {
  byModel,
  type ModelFigures,
  type OpportunityDifference,
  type RunFigures,
  type RunTrigger,
} from '@dutchbook/engine/rehearsal/compare.ts';

export function presentFigures({ limitHits, models, refusals, worstAtRisk, ...figures }: RunFigures): RunTotals {
  return {
    ...figures,
    refusals: Object.entries(refusals).map(([gate, count]) => ({ gate, count })),
    limit_hits: limitHits,
    worst_at_risk_usd: worstAtRisk,
    models: byModel((model) => presentModel(models[model])),
  };
}

function presentModel({ profit, worstBatch, ...counts }: ModelFigures): RunTotals['models']['touch'] {
  return { ...counts, profit_usd: profit, worst_batch_usd: worstBatch };
}

export function presentDifference(
  { opportunityId, profit, moments, ...counts }: OpportunityDifference,
  titles: ReadonlyMap<string, string>,
): RehearsalDifference {
  return {
    opportunity_id: opportunityId,
    title: titles.get(opportunityId) ?? '',
    present_triggers: counts.presentTriggers,
    proposed_triggers: counts.proposedTriggers,
    present_batches: counts.presentBatches,
    proposed_batches: counts.proposedBatches,
    profit_usd: profit,
    moments: moments.map(({ at, present, proposed }) => ({
      at,
      present: present && presentTrigger(present),
      proposed: proposed && presentTrigger(proposed),
    })),
  };
}

function presentTrigger({ profitPct, currentPrice, size, refusals, outcomes }: RunTrigger): RehearsedDecision {
  return {
    profit_percentage: profitPct,
    current_price: currentPrice,
    size,
    refusals: refusals && [...refusals],
    profit_usd: outcomes && byModel((model) => outcomes[model].profit),
  };
}
