/** Trading controls for tests that do not go through the database: armed and without limits, until a test says otherwise. */

import type { TradingLimits } from '@dutchbook/engine/risk/context.ts';
import { NO_LIMITS } from '@dutchbook/engine/risk/limits/touched.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import { ensureControls } from './store.ts';
import { tradingControls } from './table.ts';
import type { TradingControls } from './trading-controls.ts';

export type ScriptedControls = TradingControls & {
  armed: boolean;
  armedChanged: ReturnType<TradingControls['current']>['armedChanged'];
  limits: TradingLimits;
};

/** What a person has set, as it is stored: recording an order reads that. */
export async function storeLimitsOf(
  { db, config }: Pick<Runtime, 'db' | 'config'>,
  limits: TradingLimits,
): Promise<void> {
  await ensureControls(db, config.venueMode, 'polymarket');
  await db.update(tradingControls).set(limits);
}

export function scriptedControls(): ScriptedControls {
  const scripted: ScriptedControls = {
    venue: 'polymarket',
    label: null,
    armed: true,
    armedChanged: null,
    limits: NO_LIMITS,
    isReadOnly: false,
    limitsRequired: false,
    current: () => {
      const { armed, armedChanged, limits } = scripted;
      return { armed, armedChanged, limits, limitsChanged: null };
    },
    halt: () => {
      scripted.armed = false;
    },
    isHalted: () => false,
    refresh: async () => {},
    onChange: () => () => {},
  };
  return scripted;
}
