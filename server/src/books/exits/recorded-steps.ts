import { sharesToNumber } from '@dutchbook/units/shares.ts';
import { usdToNumber } from '@dutchbook/units/usd.ts';
import type { JsonObject } from '../../platform/audit/record.ts';
import type { PlannedStep } from '../../trading/chain-steps/plan.ts';

/** For the audit log. */
export function recordedSteps(submissions: readonly (readonly PlannedStep[])[]): JsonObject {
  return {
    steps: submissions.flat().map(({ kind, marketIds, shares, dollars }) => ({
      kind,
      market_ids: marketIds,
      shares: sharesToNumber(shares),
      expected_usd: usdToNumber(dollars),
    })),
  };
}
