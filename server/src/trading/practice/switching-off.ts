/**
 * Switching order simulation off: orders are sent from then on. On a real venue that is asked like arming, and disarms trading, so that
 * nothing leaves before a superuser has armed it for what is not practice.
 */
import { ARM_CONFIRMATION, armTrading } from '@dutchbook/contract/arming.ts';
import { VENUE_MODES } from '@dutchbook/contract/status.ts';
import { settingsForm } from '@dutchbook/contract/system-settings.ts';
import * as z from 'zod/mini';
import { orAsk, SignOffNeeded } from '../../people/sign-offs/ask.ts';
import { changedNames } from '../../people/sign-offs/changed-names.ts';
import type { Effect } from '../../people/sign-offs/effects.ts';
import type { SettingsCall } from '../../people/system-settings/routes.ts';
import type { SettingsChange } from '../../people/system-settings/store.ts';
import type { WatchedSettings } from '../../people/system-settings/watched-settings.ts';
import { writeSettings } from '../../people/system-settings/write.ts';
import type { JsonObject } from '../../platform/audit/record.ts';
import type { App } from '../../platform/http/app.ts';
import { Conflict, Invalid } from '../../platform/http/errors.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { storeDisarmed } from '../trading-controls/arming.ts';
import { judgeClip } from '../trading-controls/judge-clip.ts';
import type { TradingControls } from '../trading-controls/trading-controls.ts';

type Switching = Pick<Runtime, 'config' | 'clock' | 'db' | 'dbFor' | 'stops' | 'random' | 'log' | 'pubsub' | 'timers'>;
const signedOff = z.object({
  before: z.partial(settingsForm),
  after: z.partial(settingsForm),
});

function isSwitchedOff({ before, after }: SettingsChange): boolean {
  return before.ORDER_SIMULATION_ENABLED === true && after.ORDER_SIMULATION_ENABLED === false;
}

type Saving = { guard: Pick<App['guard'], 'judge'>; controls: readonly TradingControls[]; needsSignOff: () => boolean };

/**
 * Stores changed settings. @throws where they switch practice off on a real venue: Invalid without the typed confirmation, Conflict
 * without the factor that arming asks for, and where a second person is asked, as for arming
 */
export function settingsSaver(runtime: Switching, parts: Saving): (call: SettingsCall) => Promise<void> {
  return async (call) => {
    const judge = async (tx: Db, change: SettingsChange) => {
      await judgeClip(tx, runtime, parts.controls, change);
      await judgeSwitchingOff(tx, runtime, parts, call, change);
    };
    await orAsk(runtime, call, () =>
      runtime.db.transaction((tx) => writeSettings(tx, runtime, call, call.body, judge)),
    );
    await Promise.all(parts.controls.map(({ refresh }) => refresh()));
  };
}

async function judgeSwitchingOff(
  tx: Db,
  runtime: Switching,
  { guard, controls, needsSignOff }: Saving,
  call: SettingsCall,
  change: SettingsChange,
): Promise<void> {
  const { world, label } = VENUE_MODES[runtime.config.venueMode];
  if (world !== 'real' || !isSwitchedOff(change)) return;
  if (call.query.confirmation !== ARM_CONFIRMATION)
    throw new Invalid(['query', 'confirmation'], `Type ${ARM_CONFIRMATION} to confirm`, call.query.confirmation);
  await guard.judge(armTrading, call);
  if (needsSignOff()) throw new SignOffNeeded({ kind: 'practice_off', ...askedFor(change, label) });
  // A call has its user behind a prototype, which a spread would leave out.
  await storeDisarmed(tx, runtime, { user: call.user, actor: call.actor, at: controls });
}

function askedFor({ before, after }: SettingsChange, venue: string): { call: JsonObject; summary: string } {
  const others = Object.entries(after).filter(([name]) => name !== 'ORDER_SIMULATION_ENABLED');
  const set = others.map(([name, value]) => `${name} to ${value}`);
  const more = set.length === 0 ? '' : `, and set ${new Intl.ListFormat('en-GB').format(set)}`;
  return {
    call: { before: { ...before }, after: { ...after } } as JsonObject,
    summary: `Switch order simulation off on ${venue}, which disarms trading${more}`,
  };
}

/** Carries out an approved switch-off, unless the settings have changed since it was asked for. */
export function switchingOffSignedOff(
  runtime: Switching,
  parts: { controls: readonly TradingControls[]; settings: WatchedSettings },
  call: JsonObject,
): Effect {
  const { before, after } = z.parse(signedOff, call);
  return {
    carryOut: async (tx, by) => {
      await writeSettings(tx, runtime, by, after, async (inner, change) => {
        const changed = changedNames(before, change.before);
        if (changed !== null) throw new Conflict(`${changed} changed after it was asked for.`);
        await storeDisarmed(inner, runtime, { ...by, at: parts.controls });
      });
      return { outcome: 'Order simulation is off, and trading is disarmed.' };
    },
    after: async () => {
      await parts.settings.refresh();
      await Promise.all(parts.controls.map(({ refresh }) => refresh()));
    },
  };
}
