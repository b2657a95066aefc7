import { isDeepStrictEqual } from 'node:util';
import { BOUNDING_CLIPS, LIMITS, type LimitName, type Limits } from '@dutchbook/contract/limits.ts';
import { belowClipWords } from '@dutchbook/contract/notes/size-words.ts';
import { usd } from '@dutchbook/contract/quantities.ts';
import type { Settings } from '@dutchbook/contract/system-settings.ts';
import type { TradingLimits } from '@dutchbook/engine/risk/context.ts';
import { idAt } from '@dutchbook/units/ids.ts';
import { type Usd, usdFromNumber, usdToNumber } from '@dutchbook/units/usd.ts';
import * as z from 'zod/mini';
import { SignOffNeeded } from '../../people/sign-offs/ask.ts';
import type { Effect } from '../../people/sign-offs/effects.ts';
import { readSettings } from '../../people/system-settings/store.ts';
import { type JsonObject, recordAction } from '../../platform/audit/record.ts';
import { Conflict, Refusal } from '../../platform/http/errors.ts';
import type { Actor } from '../../platform/http/signed-in.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { limitUse } from '../under-way/limit-use.ts';
import { notConfigured } from './by-venue.ts';
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
import { type ControlsOf, lockControls, readControls, storeLimits, WHOLE_DESK } from './store.ts';
import type { TradingControls } from './trading-controls.ts';

type Changing = Pick<Runtime, 'config' | 'clock' | 'db' | 'pubsub'>;
type By = { actor: Actor; user: { id: string } };

/** Whose limits: those of the account at a venue, or those of the whole desk over all venues. */
export type LimitsOwner = {
  of: ControlsOf;
  /** Whether none may be missing. */
  isRequired: boolean;
  /** The owner's name in messages; null where it is the only one. */
  label: string | null;
  refresh: () => Promise<void>;
};

export function limitsAt({ venue, label, limitsRequired, refresh }: TradingControls): LimitsOwner {
  return { of: venue, isRequired: limitsRequired, label, refresh };
}

/** None is required: those of each real venue are. */
export const DESK_LIMITS: LimitsOwner = {
  of: WHOLE_DESK,
  isRequired: false,
  label: 'Whole desk',
  // Decisions read them in their own transaction.
  refresh: async () => {},
};

/** The limits, and how much of them is used. */
export async function readLimits({ config, db, clock }: Runtime, { of, isRequired }: LimitsOwner): Promise<Limits> {
  const used = await limitUse(db, clock.now(), undefined, of === WHOLE_DESK ? undefined : [of]);
  const { limits, limitsChanged } = await readControls(db, config.venueMode, of);
  const { settings } = await readSettings(db);
  return {
    ...formOf(limits),
    required: isRequired,
    placed_today_usd: used.placedToday,
    open_exposure_now_usd: used.openExposure,
    below_clip: belowClip(formOf(limits), settings),
    changed_at: limitsChanged?.at ?? null,
    changed_by: limitsChanged?.by ?? null,
  };
}

/** The limits that never allow a clip of CLIP_USD, however little of them is used. */
function belowClip(limits: Pick<Limits, LimitName>, { SIZE_POLICY, CLIP_USD }: Settings): Limits['below_clip'] {
  const clip = usdFromNumber(CLIP_USD);
  if (SIZE_POLICY === 'smallest') return [];
  const lower = BOUNDING_CLIPS.filter((name) => (limits[name] ?? clip) < clip);
  return lower.map((limit) => ({ limit, message: belowClipWords(clip) }));
}

/**
 * Sets limits, in every process. @throws Refusal 422 at each one that is required and that would not be set;
 * SignOffNeeded where one is raised or taken back, and that is not one person's alone
 */
export async function changeLimits(
  runtime: Changing,
  owner: LimitsOwner,
  by: By,
  changes: LimitChanges,
  needsSignOff: () => boolean = () => false,
): Promise<void> {
  await runtime.db.transaction(async (tx) => {
    const standing = await lockControls(tx, runtime.config.venueMode, owner.of);
    const limits = limitsAfter(standing.limits, changes);
    const different = limitChanges(standing.limits, limits);
    refuseMissing(owner, limits);
    if (different.some(isRaised) && needsSignOff()) throw signOffOf(owner, different);
    await store(tx, runtime, by, { of: owner.of, standing: standing.limits, limits });
  });
  await owner.refresh();
}

/** Old and new value of each changed limit, in dollars, for the approver. */
const stored = z.record(z.string(), z.object({ from: z.nullable(usd), to: z.nullable(usd) }));

function signOffOf({ of, label }: LimitsOwner, changes: readonly LimitChange[]): SignOffNeeded {
  const call = Object.fromEntries(changes.map(({ name, from, to }) => [name, { from, to }]));
  const encoded = z.encode(stored, call) as JsonObject;
  const summary = changesInWords(changes);
  return new SignOffNeeded({
    kind: 'limits',
    call: { ...encoded, of },
    summary: label === null ? summary : `${label}: ${summary}`,
  });
}

/** Carries out a sign-off of limits. @throws Conflict where the venue that it names is not configured any more */
export function limitsSignedOff(runtime: Changing, all: readonly TradingControls[], call: JsonObject): Effect {
  const { of, ...changes } = call;
  const owner = [...all.map(limitsAt), DESK_LIMITS].find((each) => each.of === of);
  if (owner === undefined) throw notConfigured(of);
  const asked = Object.entries(z.decode(stored, changes as z.input<typeof stored>)) as [LimitName, LimitChange][];
  return {
    carryOut: async (tx, by) => {
      const standing = await lockControls(tx, runtime.config.venueMode, owner.of);
      const form = formOf(standing.limits);
      if (asked.some(([name, { from }]) => form[name] !== from))
        throw new Conflict('The limits were changed after it was asked for.');
      const limits = limitsAfter(standing.limits, Object.fromEntries(asked.map(([name, { to }]) => [name, to])));
      refuseMissing(owner, limits);
      await store(tx, runtime, by, { of: owner.of, standing: standing.limits, limits });
      return { outcome: 'The limits are set.' };
    },
    after: owner.refresh,
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
  const object = of === WHOLE_DESK ? of : idAt(of, runtime.config.venueMode);
  await recordAction(tx, runtime, by.actor, { action: 'limits.changed', object, ...change });
}

function refuseMissing({ isRequired }: LimitsOwner, limits: TradingLimits): void {
  const missing = isRequired ? unsetLimits(limits) : [];
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
