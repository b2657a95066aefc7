import { isDeepStrictEqual } from 'node:util';
import { LIMITS, type LimitName, type Limits } from '@dutchbook/contract/limits.ts';
import { usd } from '@dutchbook/contract/quantities.ts';
import type { TradingLimits } from '@dutchbook/engine/risk/context.ts';
import { type Usd, usdToNumber } from '@dutchbook/units/usd.ts';
import * as z from 'zod/mini';
import { SignOffNeeded } from '../../people/sign-offs/ask.ts';
import type { Effect } from '../../people/sign-offs/effects.ts';
import { type JsonObject, recordAction } from '../../platform/audit/record.ts';
import { Conflict, Refusal } from '../../platform/http/errors.ts';
import type { Actor } from '../../platform/http/signed-in.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { limitUse } from '../under-way/limit-use.ts';
import {
  changesInWords,
  formOf,
  isRaised,
  type LimitChange,
  type LimitChanges,
  limitChanges,
  limitsAfter,
  unsetLimits,
} from './limits-form.ts';
import { type ControlsOf, lockControls, storeLimits } from './store.ts';
import type { TradingControls } from './trading-controls.ts';

type Changing = Pick<Runtime, 'config' | 'clock' | 'db' | 'pubsub'>;
type By = { actor: Actor; user: { id: string } };

/** The limits in force, and how much of them is used. */
export async function readLimits({ db, clock }: Runtime, controls: TradingControls): Promise<Limits> {
  const used = await limitUse(db, clock.now(), undefined, [controls.venue]);
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

/**
 * Sets limits, in every process. @throws Refusal 422 at each one that this venue requires and that would not be set;
 * SignOffNeeded where one is raised or taken back, and that is not one person's alone
 */
export async function changeLimits(
  runtime: Changing,
  controls: TradingControls,
  by: By,
  changes: LimitChanges,
  needsSignOff: () => boolean = () => false,
): Promise<void> {
  await runtime.db.transaction(async (tx) => {
    const standing = await lockControls(tx, runtime.config.venueMode, controls.venue);
    const limits = limitsAfter(standing.limits, changes);
    const different = limitChanges(standing.limits, limits);
    refuseMissing(controls, limits);
    if (different.some(isRaised) && needsSignOff()) throw signOffOf(different);
    await store(tx, runtime, by, { of: controls.venue, standing: standing.limits, limits });
  });
  await controls.refresh();
}

/** Of each limit that changes what it was, so that the approver sees what is raised; dollars. */
const stored = z.record(z.string(), z.object({ from: z.nullable(usd), to: z.nullable(usd) }));

function signOffOf(changes: readonly LimitChange[]): SignOffNeeded {
  const call = Object.fromEntries(changes.map(({ name, from, to }) => [name, { from, to }]));
  return new SignOffNeeded({
    kind: 'limits',
    call: z.encode(stored, call) as JsonObject,
    summary: changesInWords(changes),
  });
}

/** What a sign-off of limits does. */
export function limitsSignedOff(runtime: Changing, controls: TradingControls, call: JsonObject): Effect {
  const asked = Object.entries(z.decode(stored, call as z.input<typeof stored>)) as [LimitName, LimitChange][];
  return {
    carryOut: async (tx, by) => {
      const standing = await lockControls(tx, runtime.config.venueMode, controls.venue);
      const form = formOf(standing.limits);
      if (asked.some(([name, { from }]) => form[name] !== from))
        throw new Conflict('The limits were changed after it was asked for.');
      const limits = limitsAfter(standing.limits, Object.fromEntries(asked.map(([name, { to }]) => [name, to])));
      refuseMissing(controls, limits);
      await store(tx, runtime, by, { of: controls.venue, standing: standing.limits, limits });
      return { outcome: 'The limits are set.' };
    },
    after: controls.refresh,
  };
}

async function store(
  tx: Db,
  runtime: Changing,
  by: By,
  { of, standing, limits }: { of: ControlsOf; standing: TradingLimits; limits: TradingLimits },
): Promise<void> {
  if (isDeepStrictEqual(standing, limits)) return;
  await storeLimits(tx, { ...runtime, mode: runtime.config.venueMode, of, userId: by.user.id }, limits);
  await runtime.pubsub.publish(tx, 'trading_controls_changed');
  const change = { before: inDollars(standing), after: inDollars(limits) };
  await recordAction(tx, runtime, by.actor, { action: 'limits.changed', object: runtime.config.venueMode, ...change });
}

function refuseMissing(controls: TradingControls, limits: TradingLimits): void {
  const missing = controls.limitsRequired ? unsetLimits(limits) : [];
  if (missing.length > 0) throw new Refusal(422, missing.map(requiredProblem));
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
