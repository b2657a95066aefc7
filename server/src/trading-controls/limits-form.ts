import type { LimitName } from '@dutchbook/contract/limits.ts';
import type { TradingLimits } from '@dutchbook/engine/risk/context.ts';
import type { Usd } from '@dutchbook/units/usd.ts';

export type LimitsForm = Record<LimitName, Usd | null>;
/** What a call says to set: null takes a limit back, one that is left out stays. */
export type LimitChanges = { [Name in LimitName]?: LimitsForm[Name] | undefined };

export function limitsAfter(standing: TradingLimits, changes: LimitChanges): TradingLimits {
  const form = formOf(standing);
  const given = Object.entries(changes).filter(([, limit]) => limit !== undefined);
  return limitsOf({ ...form, ...Object.fromEntries(given) });
}

function limitsOf(form: LimitsForm): TradingLimits {
  return {
    perOrder: form.per_order_usd,
    perBatch: form.per_batch_usd,
    perDay: form.per_day_usd,
    openExposure: form.open_exposure_usd,
  };
}

export function formOf(limits: TradingLimits): LimitsForm {
  return {
    per_order_usd: limits.perOrder,
    per_batch_usd: limits.perBatch,
    per_day_usd: limits.perDay,
    open_exposure_usd: limits.openExposure,
  };
}

/** Those that a real venue still wants. */
export function unsetLimits(limits: TradingLimits): LimitName[] {
  const form = formOf(limits);
  return (Object.keys(form) as LimitName[]).filter((name) => form[name] === null);
}
