import type { SignOffKind } from '@dutchbook/contract/sign-offs.ts';
import { modeOf, VENUE_MODES } from '@dutchbook/contract/status.ts';
import { VENUE_LABELS } from '@dutchbook/contract/venue-names.ts';
import { idAt, type VenueName } from '@dutchbook/units/ids.ts';
import { type Instant, instantToIso } from '@dutchbook/units/instant.ts';
import { type NewNotification, recordNotification } from '../../people/notifications/record.ts';
import { SignOffNeeded } from '../../people/sign-offs/ask.ts';
import { changedNames } from '../../people/sign-offs/changed-names.ts';
import type { Effect } from '../../people/sign-offs/effects.ts';
import { lockOpenSignOffs, withdrawLocked } from '../../people/sign-offs/withdraw-open.ts';
import { type JsonObject, recordAction } from '../../platform/audit/record.ts';
import { Conflict } from '../../platform/http/errors.ts';
import type { Actor } from '../../platform/http/signed-in.ts';
import { stoppedTrading, tradingSubject } from '../../platform/http/stops.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import type { HeldHere, KeptStop, Stop } from '../../platform/runtime/stops.ts';
import { cancelActiveBatches } from '../orders/intents.ts';
import { cancelWaitingSales } from '../orders/waiting-sales.ts';
import { startOverUnderWay } from '../under-way/start-overs.ts';
import { notConfigured } from './by-venue.ts';
import { limitsInWords, nameInText, unsetLimits } from './limits-form.ts';
import { lockControls, type StoredControls, storeArmed } from './store.ts';
import type { TradingControls } from './trading-controls.ts';

type Arming = Pick<Runtime, 'config' | 'clock' | 'db' | 'dbFor' | 'random' | 'pubsub' | 'stops'>;

/** `user` is null for a request from the chat. */
type By = { actor: Actor; user: { id: string | null } };

/** Why trading cannot be armed on this venue with these limits; null when it can. */
export function armingRefusal(
  { config }: Pick<Runtime, 'config'>,
  { venue, isReadOnly }: Pick<TradingControls, 'venue' | 'isReadOnly'>,
  limits: StoredControls['limits'],
): string | null {
  if (config.venueMode === 'replay') return 'This is a replay of a recording: nothing can be placed';
  if (config.venues.get(venue)?.isReadOnly) return 'The venue is read only: it has no private key';
  if (isReadOnly) return 'The venue is read only: its key may not place orders';
  const missing = modeOf(config.venueMode).onExchange ? [] : unsetLimits(limits);
  if (missing.length === 0) return null;
  const names = missing.map((name) => `the ${nameInText(name)}`);
  return `Set ${new Intl.ListFormat('en-GB').format(names)} first`;
}

/** `settings`: what orders leave by once trading is armed, by name. */
type ArmingSignOff = { isNeeded: () => boolean; settings: () => JsonObject };

const ALONE: ArmingSignOff = { isNeeded: () => false, settings: () => ({}) };

/**
 * Lets orders leave, in every process. @throws Conflict when this venue cannot be armed; SignOffNeeded where that is not one
 * person's alone
 */
export async function arm(
  runtime: Arming,
  controls: TradingControls,
  by: By,
  signOff: ArmingSignOff = ALONE,
): Promise<void> {
  await runtime.db.transaction((tx) => storeArmedBy(tx, runtime, controls, by, signOff));
  await controls.refresh();
}

/** The venues that were not armed, each with the reason. */
type NotArmed = { venue: VenueName; detail: string; sign_off_id?: string }[];

/** Arms venues one after the other, each under its own judgement. @throws where one alone is refused, and Conflict where all are */
export async function armEach(
  all: readonly TradingControls[],
  armOne: (controls: TradingControls) => Promise<void>,
): Promise<NotArmed> {
  const refused: NotArmed = [];
  for (const controls of all) {
    try {
      await armOne(controls);
    } catch (error) {
      if (all.length === 1 || !(error instanceof Conflict)) throw error;
      const { sign_off_id } = error.more;
      refused.push({ venue: controls.venue, detail: error.message, ...(sign_off_id !== undefined && { sign_off_id }) });
    }
  }
  if (refused.length > 0 && refused.length === all.length) throw noneArmed(refused);
  return refused;
}

function noneArmed(refused: NotArmed): Conflict {
  const detail = refused.map((each) => `${VENUE_LABELS[each.venue]}: ${each.detail}`).join(' ');
  const asked = refused.flatMap(({ sign_off_id }) => sign_off_id ?? []);
  const [first] = asked;
  return new Conflict(detail, first === undefined ? {} : { sign_off_id: first, sign_off_ids: asked });
}

/** Carries out a sign-off of arming, if the limits and settings are those under which it was asked for. */
export function armingSignedOff(
  runtime: Arming,
  all: readonly TradingControls[],
  settings: ArmingSignOff['settings'],
  call: JsonObject,
): Effect {
  const controls = askedAt(all, call);
  return {
    carryOut: async (tx, by) => {
      const standing = await lockControls(tx, runtime.config.venueMode, controls.venue);
      const changed = changedSince(call, callUnder(controls, standing, settings()));
      if (changed !== null) throw new Conflict(changed);
      await storeArmedBy(tx, runtime, controls, by, ALONE);
      return { outcome: 'Trading is armed.' };
    },
    after: controls.refresh,
  };
}

type Standing = Awaited<ReturnType<typeof lockControls>>;

function callUnder(
  { venue }: Pick<TradingControls, 'venue'>,
  { armed, armedChangedAt, limits }: Standing,
  settings: JsonObject,
): JsonObject {
  const disarmedAt = armed || armedChangedAt === null ? null : instantToIso(armedChangedAt);
  return { limits: limitsInWords(limits), settings, disarmed_at: disarmedAt, venue };
}

/** The controls of the venue that a sign-off names. @throws Conflict where it is not configured any more */
function askedAt(all: readonly TradingControls[], call: JsonObject): TradingControls {
  const found = all.find(({ venue }) => call.venue === venue);
  if (found === undefined) throw notConfigured(call.venue);
  return found;
}

/** Says what changed on the desk since arming was asked for, in a sentence, or null. Where trading is armed already nothing changes. */
function changedSince(asked: JsonObject, now: JsonObject): string | null {
  if (asked.limits !== now.limits) return 'The limits were changed after it was asked for.';
  const settings = changedNames(asked.settings, now.settings);
  if (settings !== null) return `${settings} changed after it was asked for.`;
  if (now.disarmed_at !== null && asked.disarmed_at !== now.disarmed_at)
    return 'Trading was disarmed after it was asked for.';
  return null;
}

async function storeArmedBy(
  tx: Db,
  runtime: Arming,
  controls: TradingControls,
  by: By,
  signOff: ArmingSignOff,
): Promise<void> {
  const { venueMode } = runtime.config;
  const { venue } = controls;
  const standing = await lockControls(tx, venueMode, venue);
  const refusal = armingRefusal(runtime, controls, standing.limits);
  if (refusal !== null) throw new Conflict(refusal);
  const startingOver = await startOverUnderWay(tx);
  if (startingOver !== null) throw new Conflict(startingOver);
  // A process whose halt could not be stored goes on when it is stored anew that trading is armed.
  if (standing.armed && !controls.isHalted()) return;
  if (signOff.isNeeded()) {
    const where = controls.label ?? VENUE_MODES[venueMode].label;
    const summary = `Arm trading on ${where}, ${limitsInWords(standing.limits)}`;
    throw new SignOffNeeded({ kind: 'arm', call: callUnder(controls, standing, signOff.settings()), summary });
  }
  await storeArmed(tx, { ...runtime, mode: venueMode, of: venue, userId: by.user.id }, true);
  await runtime.pubsub.publish(tx, 'trading_controls_changed');
  const change = { before: { armed: false }, after: { armed: true } };
  await recordAction(tx, runtime, by.actor, { action: 'trading.armed', object: idAt(venue, venueMode), ...change });
}

/**
 * Lets no order leave any more to these venues, in any process: from this one at once, and from the others because the end of every
 * batch that is being worked on is asked for in the same transaction, which they look at before they send. `held`: this process alone
 * is halted until the database answers.
 */
export async function disarm(
  runtime: Arming,
  all: readonly TradingControls[],
  { actor }: Pick<By, 'actor'>,
): Promise<{ kind: 'stored' } | HeldHere> {
  const askedAt = runtime.clock.now();
  for (const controls of all) controls.halt();
  const ends = await Promise.all(
    all.map((controls) => runtime.stops.carryOut(disarmingStop(runtime, controls, { askedAt, actor }))),
  );
  const held = ends.filter((end) => end.kind === 'held');
  return held.length === 0 ? { kind: 'stored' } : { kind: 'held', isKept: held.every(({ isKept }) => isKept) };
}

function disarmingStop(
  runtime: Arming,
  controls: Pick<TradingControls, 'venue' | 'label' | 'refresh'>,
  { askedAt, actor }: Pick<KeptStop, 'askedAt' | 'actor'>,
): Stop<void> {
  const by = { actor, user: actor };
  return {
    ...{
      action: 'trading.disarmed',
      subject: tradingSubject(runtime.config.venueMode, controls.venue),
      askedAt,
      actor,
    },
    store: (again) =>
      runtime.dbFor.stops.transaction((tx) =>
        storeDisarmed(tx, runtime, { ...by, at: [controls] }, again ? askedAt : undefined),
      ),
    onStored: controls.refresh,
  };
}

/** A disarming that an earlier process kept: it halts this process at its venue, and is stored also where that is not configured any more. */
export function keptDisarming(runtime: Arming, all: readonly TradingControls[], kept: KeptStop): Stop<void> {
  const { mode: venueMode, venue } = stoppedTrading(kept.subject);
  const controls = all.find((each) => each.venue === venue);
  if (venueMode === runtime.config.venueMode) controls?.halt(kept.askedAt);
  const stopped = controls ?? { venue, label: VENUE_LABELS[venue], refresh: async () => {} };
  return disarmingStop({ ...runtime, config: { ...runtime.config, venueMode } }, stopped, kept);
}

/** The answer while a halt is not stored yet; see `heldInWords`. */
export const HALTED = 'Trading is halted in this process';

/** Requests whose approval would let orders leave. */
const WITHDRAWN_BY_DISARMING: readonly SignOffKind[] = ['arm', 'batch'];

/** In a transaction. `unlessArmedSince`: a superuser who armed trading after that overrules it. */
export async function storeDisarmed(
  tx: Db,
  runtime: Arming,
  by: By & { at: readonly Pick<TradingControls, 'venue' | 'label'>[] },
  unlessArmedSince?: Instant,
): Promise<void> {
  const { venueMode } = runtime.config;
  const open = await lockOpenSignOffs(tx, runtime, WITHDRAWN_BY_DISARMING);
  const standing: (Standing & (typeof by.at)[number])[] = [];
  // In the order in which decisions lock them.
  for (const each of by.at.toSorted((a, b) => (a.venue < b.venue ? -1 : 1))) {
    const found = await lockControls(tx, venueMode, each.venue);
    const isOverruled = unlessArmedSince !== undefined && found.armed && (found.armedChangedAt ?? 0) > unlessArmedSince;
    if (!isOverruled) standing.push({ ...found, ...each });
  }
  if (standing.length === 0) return;
  const recordWithdrawn = await withdrawLocked(tx, runtime, open, by.actor, 'Trading was disarmed.');
  const armed = standing.filter((each) => each.armed);
  for (const { venue } of armed) {
    await storeArmed(tx, { ...runtime, mode: venueMode, of: venue, userId: by.user.id }, false);
    await cancelActiveBatches(tx, runtime, venue);
    await cancelWaitingSales(tx, runtime, venue);
  }
  if (armed.length > 0) await runtime.pubsub.publish(tx, 'trading_controls_changed');
  for (const each of armed) await recordNotification(tx, runtime, killSwitchNotification(venueMode, each, by.actor));
  const change = { before: { armed: true }, after: { armed: false } };
  for (const { venue } of armed)
    await recordAction(tx, runtime, by.actor, {
      action: 'trading.disarmed',
      object: idAt(venue, venueMode),
      ...change,
    });
  await recordWithdrawn();
}

function killSwitchNotification(
  venueMode: Runtime['config']['venueMode'],
  { venue, label }: Pick<TradingControls, 'venue' | 'label'>,
  actor: Actor,
): NewNotification {
  // A person in the chat is known only by the name there.
  const by = actor.email ?? actor.address;
  const [on, there] = label === null ? ['', ''] : [` on ${label}`, ' there'];
  return {
    type: 'kill_switch',
    opportunityId: null,
    message: `Trading${on} was disarmed by ${by}: nothing is placed${there} until a superuser arms it again`,
    data: { venue: idAt(venue, venueMode), by },
  };
}
