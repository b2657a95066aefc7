import { isDeepStrictEqual } from 'node:util';
import { LIMITS, type LimitName, type Limits } from '@dutchbook/contract/limits.ts';
import type { TradingLimits } from '@dutchbook/engine/risk/context.ts';
import { type Usd, usdToNumber } from '@dutchbook/units/usd.ts';
import { recordAction } from '../audit/record.ts';
import { Refusal } from '../http/errors.ts';
import { limitUse } from '../orders/limit-use.ts';
import type { Actor, TradingControls } from '../parts.ts';
import type { Runtime } from '../runtime.ts';
import { formOf, type LimitChanges, limitsAfter, unsetLimits } from './limits-form.ts';
import { lockControls, storeLimits } from './store.ts';

/** The limits in force, and how much of them is used. */
export async function readLimits({ db, clock }: Runtime, controls: TradingControls): Promise<Limits> {
  const used = await limitUse(db, clock.now());
  const { limits, limitsChanged } = controls.current();
  return {
    ...formOf(limits),
    required: controls.limitsRequired,
    placed_today_usd: used.placedToday,
    open_exposure_now_usd: used.openExposure,
    changed_at: limitsChanged?.at ?? null,
    changed_by: limitsChanged?.by ?? null,
  };
}

/** Sets limits, in every process. @throws Refusal 422 at each one that this venue requires and that would not be set */
export async function changeLimits(
  runtime: Runtime,
  controls: TradingControls,
  by: { actor: Actor; user: { id: string } },
  changes: LimitChanges,
): Promise<void> {
  await runtime.db.transaction(async (tx) => {
    const standing = await lockControls(tx, runtime.config.venueMode);
    const limits = limitsAfter(standing.limits, changes);
    const missing = controls.limitsRequired ? unsetLimits(limits) : [];
    if (missing.length > 0) throw new Refusal(422, missing.map(requiredProblem));
    if (isDeepStrictEqual(standing.limits, limits)) return;
    await storeLimits(tx, { ...runtime, mode: runtime.config.venueMode, userId: by.user.id }, limits);
    await runtime.pubsub.publish(tx, 'trading_controls_changed');
    const change = { before: inDollars(standing.limits), after: inDollars(limits) };
    await recordAction(tx, runtime, by.actor, {
      action: 'limits.changed',
      object: runtime.config.venueMode,
      ...change,
    });
  });
  await controls.refresh();
}

function requiredProblem(name: LimitName) {
  return {
    loc: ['body', name],
    msg: `${LIMITS[name]} is required on a real venue`,
    type: 'value_error',
    input: null,
  };
}

/** As served by the calls. */
function inDollars(limits: TradingLimits): Record<string, number | null> {
  const dollars = (limit: Usd | null) => (limit === null ? null : usdToNumber(limit));
  return Object.fromEntries(Object.entries(formOf(limits)).map(([name, limit]) => [name, dollars(limit)]));
}
